-- Where a source's state is kept, for those that aren't pushed.
alter table inventory.iac_sources
  add column backend jsonb,
  add column sealed_backend_secret bytea,
  -- What the last state that was read is called where it is kept.
  add column backend_edition text,
  add column read_at timestamptz,
  add column read_error jsonb,
  add column next_read_at timestamptz;

create index iac_sources_due on inventory.iac_sources (next_read_at) where next_read_at is not null;

-- Sources across organizations whose backend is to be read now, one of each organization but of those in `busy`: whoever
-- asks has them until the next time.
create function inventory.lease_states(pause interval, most integer, busy uuid[])
  returns table (org_id uuid, source_id uuid)
  language sql
  security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with due as (
      select distinct on (s.org_id) s.org_id, s.id, s.next_read_at
        from inventory.iac_sources s
       where s.next_read_at <= now()
         and s.org_id <> all (busy)
       order by s.org_id, s.next_read_at
    ), longest as (
      select due.org_id, due.id from due order by due.next_read_at limit most
    )
    update inventory.iac_sources s
       set next_read_at = now() + pause * (0.9 + random() * 0.2)
      from longest
     where s.org_id = longest.org_id
       and s.id = longest.id
       and s.next_read_at <= now()
    returning s.org_id, s.id
  $$;
grant execute on function inventory.lease_states to leeway_inventory;
revoke execute on function inventory.lease_states from public;

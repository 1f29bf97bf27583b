-- Leases accounts whose changes wait to be judged by changed rules.
create or replace function inventory.lease_due_rules(seconds integer, at_most integer)
returns table (org_id uuid, account_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due record;
begin
  for due in
    select w.org_id, w.cloud_account_id, w.due_at
      from inventory.due_rules w
     where w.due_at <= now()
     order by w.due_at
     limit at_most
  loop
    return query
    update inventory.due_rules d
       set due_at = now() + make_interval(secs => seconds)
     where d.org_id = due.org_id
       and d.cloud_account_id = (
         select w.cloud_account_id
           from inventory.due_rules w
          where w.org_id = due.org_id
            and w.cloud_account_id = due.cloud_account_id
            and w.due_at = due.due_at
            for update skip locked
       )
    returning d.org_id, d.cloud_account_id;
  end loop;
end
$$;

-- Lists organizations with rules whose time is over, and which still have an effect.
create or replace function inventory.ended_rules(at_most integer)
returns table (org_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select distinct r.org_id
    from inventory.rules r
   where r.enabled
     and not r.ended
     and r.expires_at <= now()
   limit at_most;
end
$$;

-- Whether the coming end of a rule has to be announced: seven days before, or when half of its time is over, and again a day before
-- unless the first time was less than 36 hours before.
create or replace function inventory.is_announced_now(ends timestamptz, updated timestamptz, announced timestamptz)
returns boolean
language sql stable set search_path = pg_catalog, pg_temp
as $$
  select case
    when announced is null then ends - now() <= least(interval '7 days', (ends - updated) / 2)
    else ends - now() <= interval '1 day' and announced < ends - interval '36 hours'
  end
$$;

grant execute on function inventory.is_announced_now to leeway_inventory;

-- Lists organizations with rules whose coming end isn't announced yet: seven days before, or after half of a shorter time.
create or replace function inventory.ending_rules(at_most integer)
returns table (org_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select distinct r.org_id
    from inventory.rules r
   where r.enabled
     and not r.ended
     and r.expires_at > now()
     and inventory.is_announced_now(r.expires_at, r.updated_at, r.announced_at)
   limit at_most;
end
$$;

grant execute on function inventory.lease_due_rules, inventory.ended_rules, inventory.ending_rules to leeway_inventory;

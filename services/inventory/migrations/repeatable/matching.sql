-- Returns the status of a live resource, given the declaration that it is matched to.
create or replace function inventory.match_status(iac_resource_id uuid, exclusion text, disabled text[], mapped boolean)
returns text
language sql immutable
as $$
  select case
    when iac_resource_id is not null then 'matched'
    when exclusion is not null and exclusion <> all (disabled) then 'excluded'
    when mapped then 'undeclared'
    else 'unchecked'
  end
$$;

-- Sums the statuses of live resources over all organizations.
create or replace function inventory.match_counts()
returns table (matched bigint, undeclared bigint, unchecked bigint, excluded bigint, missing bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(matched_count), 0), coalesce(sum(undeclared_count - unchecked_count), 0),
         coalesce(sum(unchecked_count), 0), coalesce(sum(excluded_count), 0), coalesce(sum(missing_count), 0)
    from inventory.cloud_accounts
$$;

-- Finds the organization's live resources with this provider id. It runs as the owner, because row-level security would keep
-- the index from being used.
create or replace function inventory.lives_known_as(provider_resource_id text)
returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 1
as $$
declare
  org constant uuid := pg_catalog.current_setting('app.org_id');
begin
  return query
  select l.id
    from inventory.live_resources l
   where l.org_id = org
     and inventory.identity(l.provider_resource_id) = inventory.identity($1);
end
$$;

-- Finds the organization's declared resources with one of these keys. It is plpgsql, planned for its arguments: PostgreSQL 17
-- plans SQL functions without them, expects many rows, and reads the whole table while the index has pending entries.
create or replace function inventory.declared_by(keys text[])
returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 5
as $$
  declare
    org constant uuid := current_setting('app.org_id');
  begin
    return query
      select i.id
        from inventory.iac_resources i
       where i.org_id::text = org::text -- so that it isn't read by organization, which looks cheap while a table is small
         and i.keys && $1;
  end
$$;

-- Merges two JSON texts; members of `part` win. If one of them is JSON that jsonb can't hold, such as half of a surrogate pair,
-- `part` replaces the whole.
create or replace function inventory.overlaid(whole text, part text)
returns text
language sql stable
as $$
  select case
    when part is null then whole
    when pg_input_is_valid(whole, 'jsonb') and pg_input_is_valid(part, 'jsonb') then (whole::jsonb || part::jsonb)::text
    else part
  end
$$;

-- Returns the union of two JSON arrays of pointers.
create or replace function inventory.united(a text, b text)
returns text
language sql stable
as $$
  select case
    when pg_input_is_valid(a, 'jsonb') and pg_input_is_valid(b, 'jsonb') then
      (select coalesce(jsonb_agg(distinct pointer), '[]')::text from jsonb_array_elements(a::jsonb || b::jsonb) pointer)
    else coalesce(b, a)
  end
$$;

-- Analyzes tables that have more than doubled since the last time. An account's first listing fills empty tables, and until
-- autovacuum comes by, statements would run with plans for empty ones. Rows are counted besides pages: an analysis while another
-- transaction fills the table sees its pages, but none of its rows.
create or replace function inventory.analyze_grown()
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
  declare
    grown pg_catalog.regclass;
  begin
    for grown in
      select c.oid
        from pg_catalog.pg_class c
       where c.relnamespace = 'inventory'::pg_catalog.regnamespace
         and c.relkind = 'r'
         and (
           pg_catalog.pg_relation_size(c.oid) / pg_catalog.current_setting('block_size')::bigint > 2 * c.relpages + 32
           or pg_catalog.pg_stat_get_mod_since_analyze(c.oid) > 2 * c.reltuples + 1000
         )
    loop
      execute pg_catalog.format('analyze (skip_locked) %s', grown);
    end loop;
  end
$$;

grant execute on function
  inventory.identity, inventory.risk_rank, inventory.match_status, inventory.match_counts, inventory.lives_known_as,
  inventory.declared_by, inventory.overlaid, inventory.united, inventory.analyze_grown
to leeway_inventory;

-- PostgreSQL 17 plans what a function in SQL asks before it knows the function's arguments: of keys that may be anyone's it
-- expects so many that while the index has entries still to be sorted in, it rather reads the whole table.
create or replace function inventory.declared_by(keys text[])
  returns setof uuid
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
  rows 5
  as $$
    begin
      return query
        select i.id
          from inventory.iac_resources i
         where i.org_id = current_setting('app.org_id')::uuid
           and i.keys && $1;
    end
  $$;

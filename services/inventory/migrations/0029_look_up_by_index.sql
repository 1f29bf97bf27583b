-- Whatever might tell of a row to others is computed after row-level security has looked at it: an index on it serves the
-- service in vain, and each row of the organization is looked at. Of `case` and `=` the planner knows that they tell nothing.
create or replace function inventory.risk_rank(risk_level text)
  returns integer
  language sql
  immutable
  as $$
    select case risk_level when 'critical' then 1 when 'high' then 2 when 'medium' then 3 when 'low' then 4 when 'none' then 5 end
  $$;

-- These run as the owner, whom row-level security shows all, and look for the caller's organization themselves.

-- The live resources whose id of the provider's that is.
create function inventory.lives_known_as(provider_resource_id text)
  returns setof uuid
  language sql
  stable
  security definer
  set search_path = ''
  rows 1
  as $$
    select l.id
      from inventory.live_resources l
     where l.org_id = pg_catalog.current_setting('app.org_id')::uuid
       and inventory.identity(l.provider_resource_id) = inventory.identity($1)
  $$;

-- The declared resources that have one of these keys.
create function inventory.declared_by(keys text[])
  returns setof uuid
  language sql
  stable
  security definer
  set search_path = ''
  rows 5
  as $$
    select i.id
      from inventory.iac_resources i
     where i.org_id = pg_catalog.current_setting('app.org_id')::uuid
       and i.keys && $1
  $$;

revoke all on function inventory.lives_known_as, inventory.declared_by from public;
grant execute on function inventory.lives_known_as, inventory.declared_by to leeway_inventory;

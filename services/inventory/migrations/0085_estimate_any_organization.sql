-- The planner takes an organization that no sample has seen for one without rows, so that any index by organization looks as good as
-- one by id, and each lookup reads all of its rows. Without a sample it assumes that each has the 200th part of the table.
do $$
declare
  tables constant regclass[] := array[
    'inventory.live_resources', 'inventory.iac_resources', 'inventory.declared_attributes', 'inventory.matches',
    'inventory.drift_changes', 'inventory.drift_fingerprints'
  ];
  changed regclass;
begin
  -- Citus refuses the statement for distributed tables, unless it changes the coordinator's only.
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  foreach changed in array tables loop
    execute format('alter table %s alter column org_id set statistics 0', changed);
  end loop;
  perform set_config('citus.enable_ddl_propagation', 'on', true);
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    perform run_command_on_shards(d.logicalrelid, 'alter table %s alter column org_id set statistics 0')
       from pg_dist_partition d
      where d.logicalrelid = any (tables);
  end if;
end
$$;

-- Earlier samples would stay. Before PostgreSQL 18 only a superuser may remove them.
do $$
declare
  sampled record;
begin
  for sampled in
    select tablename as name, inherited
      from pg_stats
     where schemaname = 'inventory'
       and attname = 'org_id'
       and (
         tablename in ('live_resources', 'iac_resources', 'declared_attributes', 'matches', 'drift_fingerprints')
         or tablename like 'drift\_changes%'
       )
  loop
    if current_setting('server_version_num')::integer >= 180000 then
      perform pg_clear_attribute_stats('inventory', sampled.name, 'org_id', sampled.inherited);
    else
      delete from pg_statistic
       where starelid = format('inventory.%I', sampled.name)::regclass
         and stainherit = sampled.inherited
         and staattnum = (
           select attnum
             from pg_attribute
            where attrelid = format('inventory.%I', sampled.name)::regclass
              and attname = 'org_id'
         );
    end if;
  end loop;
exception
  when insufficient_privilege then
    raise notice 'the earlier samples of organizations stay';
end
$$;

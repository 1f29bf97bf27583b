-- The planner takes an organization that no sample has seen for one without rows, so that any index by organization looks as good as
-- one by id, and each lookup reads all of its rows. Without a sample it assumes that each has the 200th part of the table.
alter table inventory.live_resources alter column org_id set statistics 0;
alter table inventory.iac_resources alter column org_id set statistics 0;
alter table inventory.declared_attributes alter column org_id set statistics 0;
alter table inventory.matches alter column org_id set statistics 0;
alter table inventory.drift_changes alter column org_id set statistics 0;
alter table inventory.drift_fingerprints alter column org_id set statistics 0;

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

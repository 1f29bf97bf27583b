-- Has the planner look at the tables that have more than doubled since it last did. An account's first listing fills empty
-- ones; until autovacuum comes by, all that is read of them would go by plans for empty ones.
create function inventory.analyze_grown()
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
    declare
      grown pg_catalog.regclass;
    begin
      for grown in
        select c.oid
          from pg_catalog.pg_class c
         where c.relnamespace = 'inventory'::pg_catalog.regnamespace
           and c.relkind = 'r'
           and pg_catalog.pg_relation_size(c.oid) / pg_catalog.current_setting('block_size')::bigint > 2 * c.relpages + 32
      loop
        execute pg_catalog.format('analyze (skip_locked) %s', grown);
      end loop;
    end
  $$;

revoke all on function inventory.analyze_grown from public;
grant execute on function inventory.analyze_grown to leeway_inventory;

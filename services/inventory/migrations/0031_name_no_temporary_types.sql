-- Where a function's path doesn't name it, the schema of temporary objects comes first for tables and types: the service's
-- role could put a type `uuid` of its own there, with a check that then ran as the owner, who reads every service's tables.
alter function inventory.analyze_grown set search_path = pg_catalog, pg_temp;
alter function inventory.declared_by set search_path = pg_catalog, pg_temp;
alter function inventory.due_actors set search_path = pg_catalog, pg_temp;
alter function inventory.due_schedules set search_path = pg_catalog, pg_temp;
alter function inventory.ended_ignores set search_path = pg_catalog, pg_temp;
alter function inventory.forget_scans set search_path = pg_catalog, pg_temp;
alter function inventory.forget_shards set search_path = pg_catalog, pg_temp;
alter function inventory.lease_notices set search_path = pg_catalog, pg_temp;
alter function inventory.lives_known_as set search_path = pg_catalog, pg_temp;
alter function inventory.stalled_scans set search_path = pg_catalog, pg_temp;
alter function inventory.unattended_scans set search_path = pg_catalog, pg_temp;
alter function inventory.unfinished_drift set search_path = pg_catalog, pg_temp;
alter function inventory.unsettled_scans set search_path = pg_catalog, pg_temp;

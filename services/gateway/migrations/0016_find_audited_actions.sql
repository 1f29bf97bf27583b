-- By which entries are found. Row-level security lets no index look into the actor itself.
alter table identity.audit_log
  add column actor_id text generated always as (actor ->> 'id') stored;

create index audit_log_action on identity.audit_log (org_id, action, id);
create index audit_log_actor on identity.audit_log (org_id, actor_id, id);

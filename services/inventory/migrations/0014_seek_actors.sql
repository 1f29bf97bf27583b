-- Who made a change, as the cloud's audit log tells; between when, and when that is to be looked for: a log comes late.
alter table inventory.drift_fingerprints
  add column actor jsonb,
  add column actor_between tstzrange,
  add column actor_due_at timestamptz,
  add column actor_tries smallint not null default 0;

create index drift_fingerprints_actor_due on inventory.drift_fingerprints (actor_due_at) where actor_due_at is not null;

-- Changes of every organization whose actor is to be looked for; each is due again after the pause that follows its try,
-- and never more after the last.
create function inventory.due_actors(pauses interval[], at_most integer)
  returns table (org_id uuid, account_id uuid, fingerprint text)
  language sql
  security definer
  set search_path = ''
  as $$
    update inventory.drift_fingerprints f
       set actor_due_at = now() + pauses[f.actor_tries + 1], actor_tries = f.actor_tries + 1
      from (
        select w.org_id, w.fingerprint
          from inventory.drift_fingerprints w
         where w.actor_due_at <= now()
         order by w.actor_due_at
         limit at_most
           for update skip locked
      ) due
     where f.org_id = due.org_id
       and f.fingerprint = due.fingerprint
    returning f.org_id, f.cloud_account_id, f.fingerprint
  $$;

revoke all on function inventory.due_actors from public;
grant execute on function inventory.due_actors to leeway_inventory;

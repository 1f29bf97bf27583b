-- Adds a decision about a change to its history. One that is undone or ends by itself has no author.
create or replace function inventory.note_decision()
returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
  declare
    is_decided constant boolean := coalesce(new.decided_at > coalesce(old.decided_at, '-infinity'), false);
  begin
    insert into inventory.decision_history (
      org_id, fingerprint, at, cloud_account_id, status, ignored_until, reason, decided_by
    )
    values (
      new.org_id, new.fingerprint, clock_timestamp(), new.cloud_account_id, new.status,
      case when new.status = 'ignored' then new.ignored_until end,
      case when is_decided then new.reason end, case when is_decided then new.decided_by end
    )
    on conflict do nothing;
    return null;
  end
$$;

create or replace trigger note_decision
  after update on inventory.drift_fingerprints
  for each row when (old.status <> new.status or old.decided_at is distinct from new.decided_at)
  execute function inventory.note_decision();

-- How far a read replica must have replayed the write-ahead log to show what an organization was shown last.
-- Unlogged, because it costs no flush. A crash empties it, and an organization without a row needs all that was written until then.
create unlogged table identity.positions (
  org_id uuid primary key,
  position pg_lsn not null
);

call identity.isolate('positions');

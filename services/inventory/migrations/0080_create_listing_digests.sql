-- The rows from which an account's live resources were last stored, so that the next listing skips those that didn't change.
create table inventory.listing_digests (
  org_id uuid not null,
  cloud_account_id uuid not null,
  part integer not null,
  -- Time of the account's latest listing, its `swept_at`. After any other listing, the digests no longer count.
  listed_at timestamptz not null,
  -- Hash of the code that read the rows, and of the account's name.
  seed bigint not null,
  -- What each kind of row adds to the summary of a listing, as JSON.
  kinds text not null,
  -- For each resource, 16 bytes of the row's SHA-256, 8 bytes of hash of the resource's name, 4 of the kind, and its id.
  digests bytea not null,
  primary key (org_id, cloud_account_id, part)
);

-- Hashes don't compress.
alter table inventory.listing_digests alter column digests set storage external;

call inventory.isolate('listing_digests');

-- Keys that sign who is asking, for clouds that trust this installation's issuer. They are the installation's own.
create table inventory.signing_keys (
  id uuid primary key,
  sealed_key bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now()
);
grant select, insert, delete on inventory.signing_keys to leeway_inventory;

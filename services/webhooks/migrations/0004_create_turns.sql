-- Whose turn it is to talk to a code host about a repository. One that isn't given back ends by itself.
create table webhooks.turns (
  org_id uuid not null,
  -- SHA-256 of source and repository.
  place bytea not null check (length(place) = 32),
  holder uuid not null,
  ends_at timestamptz not null,
  primary key (org_id, place)
);

call webhooks.isolate('turns');

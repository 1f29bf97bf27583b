-- Links that sign a browser in as a person, once. Only `up` creates them, for the owner of its demo: no role of a service may insert.
create table identity.sign_in_links (
  -- SHA-256 of the link's token.
  token_hash bytea primary key,
  person_id uuid not null references identity.people (id) on delete cascade,
  expires_at timestamptz not null
);

create index sign_in_links_person on identity.sign_in_links (person_id);

grant select, delete on identity.sign_in_links to leeway_gateway;

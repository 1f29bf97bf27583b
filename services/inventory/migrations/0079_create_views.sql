-- Saved filters of lists.
create table inventory.views (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  page text not null,
  -- Query parameters of the page's list, checked when they were saved.
  filter jsonb not null,
  shared boolean not null,
  owner jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);

call inventory.isolate('views');

-- Of all changes that a notice of drift reports, from which views select, if the organization has shared views of drift.
alter table inventory.notices add column fingerprints text[];

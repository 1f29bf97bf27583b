-- Where a source's code is: the kind of its code host if it is known, its folder in the repository (null: the root), and its branch,
-- tag or commit (null: the default branch).
alter table inventory.iac_sources
  add column repository_kind text check (repository_kind in ('gitlab', 'github')),
  add column repository_dir text,
  add column repository_ref text;

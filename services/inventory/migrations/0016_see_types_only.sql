-- The types that the last listing asked for, if it showed nothing else; null: it showed whatever there was.
alter table inventory.cloud_accounts add column only_types text[];

-- Whether listings of an account show a type: those of a cloud all that it lists, other ones what they have shown.
create or replace function inventory.shows(a inventory.cloud_accounts, listed boolean, canonical_type text)
  returns boolean
  language sql
  immutable
  as $$
    select a.swept_at is not null
       and (listed and a.cloud <> 'other' or canonical_type = any (a.observed_types))
       and (a.only_types is null or canonical_type = any (a.only_types))
  $$;

-- Returns whether listings of an account show a type. A cloud's own listings show every listed type, others what they have
-- shown before.
create or replace function inventory.is_listed(
  swept_at timestamptz, cloud text, observed_types text[], only_types text[], listed boolean, canonical_type text
)
returns boolean
language sql immutable
as $$
  select swept_at is not null
     and (listed and cloud <> 'other' or canonical_type = any (observed_types))
     and (only_types is null or canonical_type = any (only_types))
$$;

-- Declared resources with the account of their source, if it belongs to their cloud. Each has a source, so that a left join finds the
-- same rows. It keeps PostgreSQL from beginning at the source, and reading all of its resources, to look one up.
-- Each org_id is compared with the declaration's: Citus doesn't follow a chain of outer joins.
create or replace view inventory.placed_declarations with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.canonical_type, i.provider_name, i.cloud,
         i.account, i.region, i.keys, i.inline, i.listed, i.tagged, i.loss, a.id as source_account_id, i.is_unsure,
         i.shown_tagged
    from inventory.iac_resources i
    left join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
    left join inventory.cloud_accounts a
      on a.org_id = i.org_id and a.id = s.cloud_account_id and a.cloud = i.cloud;

-- Declared resources with their status. Each is looked for in the account that its own identifiers name, otherwise in the
-- account of its source. A resource that no listing would show is unobserved instead of missing.
create or replace view inventory.declared_resources with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.provider_name, i.region, i.keys,
         i.loss, a.id as cloud_account_id, m.live_resource_id, m.level as match_level,
         case
           when m.live_resource_id is not null then 'matched'
           when i.account is not null and n.id is null then 'unobserved'
           when v.id is not null and not inventory.is_listed(
             v.swept_at, v.cloud, v.observed_types, v.only_types, i.listed, i.canonical_type
           ) then 'unobserved'
           when v.id is null and not exists (
             select
               from inventory.cloud_accounts o
              where o.org_id = i.org_id
                and o.cloud = i.cloud
                and inventory.is_listed(
                  o.swept_at, o.cloud, o.observed_types, o.only_types, i.listed, i.canonical_type
                )
           ) then 'unobserved'
           when i.is_unsure then 'unobserved'
           when v.tagged_only and not i.tagged and not i.shown_tagged then 'unobserved'
           when coalesce(
             i.region <> all (v.observed_regions),
             i.cloud = 'azure' and v.observed_regions is not null -- Azure ids name no region, and not every resource has a location
           ) then 'unobserved'
           when exists (
             select from inventory.blind_spots b
              where b.org_id = i.org_id and b.cloud_account_id = v.id
                and (b.canonical_type is null or b.canonical_type = i.canonical_type)
                and (b.region is null or i.region is null or b.region = i.region)
                and not (b.untagged_only and (i.tagged or i.shown_tagged))
           ) then 'unobserved'
           when exists (
             select from inventory.matches c
              where c.org_id = i.org_id and c.iac_resource_id = i.id and c.contested
           ) then 'unobserved'
           when exists (
             select from inventory.ambiguities u where u.org_id = i.org_id and u.iac_resource_id = i.id
           ) then 'unobserved'
           else 'missing'
         end as status,
         i.cloud, i.account
    from inventory.placed_declarations i
    left join inventory.cloud_accounts n on n.org_id = i.org_id and n.cloud = i.cloud and n.named_as = i.account
    -- a is the account that it counts for, v the one that it is looked for in.
    left join inventory.cloud_accounts a on a.org_id = i.org_id and a.id = coalesce(i.source_account_id, n.id)
    left join inventory.cloud_accounts v on v.org_id = i.org_id and v.id = coalesce(n.id, i.source_account_id)
    left join inventory.matches m
      on m.org_id = i.org_id and m.iac_resource_id = i.id and not m.contested
   where not i.inline;

-- The view of earlier versions used it.
drop function if exists inventory.shows(inventory.cloud_accounts, boolean, text);

-- Marks an organization's counts by source as wrong when only its accounts are counted, as services of earlier versions do.
-- A service that counts by source marks them as right afterwards, in the same transaction.
create or replace function inventory.doubt_counts()
returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
  begin
    insert into inventory.counted_orgs (org_id, is_right)
    values (current_setting('app.org_id')::uuid, false)
    on conflict (org_id) do update set is_right = false;
    return null;
  end
$$;

create or replace trigger doubt_counts
  after update of missing_count on inventory.cloud_accounts
  for each statement execute function inventory.doubt_counts();

grant select on inventory.placed_declarations, inventory.declared_resources to leeway_inventory;

grant execute on function inventory.is_listed to leeway_inventory;

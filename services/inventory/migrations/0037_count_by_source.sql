-- How what a source declares stood when the organization was last matched, by the cloud and by the account that it names, if
-- any ('').
create table inventory.source_counts (
  org_id uuid not null,
  source_id uuid not null,
  cloud text not null,
  account text not null,
  -- Which account of the organization it counted for. Where that was none, one that is named so may have been added since.
  cloud_account_id uuid,
  matched integer not null,
  missing integer not null,
  unobserved integer not null,
  primary key (org_id, source_id, cloud, account)
);

-- Organizations, and whether their source_counts are right. Without a row they aren't.
create table inventory.counted_orgs (
  org_id uuid primary key,
  is_right boolean not null
);

call inventory.isolate('source_counts');
call inventory.isolate('counted_orgs');

-- Whoever matches counts what is missing in accounts, last and in the same transaction. A service that is older than these
-- tables does nothing else, so that they aren't right any more; a newer one counts by source, and says so after it.
create function inventory.doubt_counts()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      insert into inventory.counted_orgs (org_id, is_right)
      values (current_setting('app.org_id')::uuid, false)
      on conflict (org_id) do update set is_right = false;
      return null;
    end
  $$;

create trigger doubt_counts
  after update of missing_count on inventory.cloud_accounts
  for each statement execute function inventory.doubt_counts();

create or replace view inventory.declared_resources with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.provider_name, i.region, i.keys,
         i.loss, a.id as cloud_account_id, m.live_resource_id, m.level as match_level,
         case
           when m.live_resource_id is not null then 'matched'
           when a.id is not null and not inventory.shows(a, i.listed, i.canonical_type) then 'unobserved'
           when a.id is null and not exists (
             select
               from inventory.cloud_accounts o
              where o.org_id = i.org_id and o.cloud = i.cloud and inventory.shows(o, i.listed, i.canonical_type)
           ) then 'unobserved'
           when a.tagged_only and not i.tagged then 'unobserved'
           when coalesce(
             i.region <> all (a.observed_regions),
             i.cloud = 'azure' and a.observed_regions is not null -- its ids tell no region, and not everything has a location
           ) then 'unobserved'
           when exists (
             select from inventory.blind_spots b
              where b.org_id = i.org_id and b.cloud_account_id = a.id
                and (b.canonical_type is null or b.canonical_type = i.canonical_type)
                and (b.region is null or i.region is null or b.region = i.region)
                and not (b.untagged_only and i.tagged)
           ) then 'unobserved'
           when exists (
             select from inventory.matches c
              where c.org_id = i.org_id and c.iac_resource_id = i.id and c.contested
           ) then 'unobserved'
           else 'missing'
         end as status,
         i.cloud, i.account
    from inventory.placed_declarations i
    left join inventory.cloud_accounts n on n.org_id = i.org_id and n.cloud = i.cloud and n.named_as = i.account
    left join inventory.cloud_accounts a
      on a.org_id = i.org_id and a.id = coalesce(i.source_account_id, n.id)
    left join inventory.matches m
      on m.org_id = i.org_id and m.iac_resource_id = i.id and not m.contested
   where not i.inline;

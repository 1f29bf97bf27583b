-- Declared resources that match nothing in an account, though it has live ones with their keys: nobody can tell which of them
-- each is. They aren't missing.
create table inventory.ambiguities (
  org_id uuid not null,
  iac_resource_id uuid not null,
  cloud_account_id uuid not null,
  primary key (org_id, iac_resource_id, cloud_account_id)
);

create index ambiguities_account on inventory.ambiguities (org_id, cloud_account_id);

call inventory.isolate('ambiguities');

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
           when i.is_unsure then 'unobserved'
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
           when exists (
             select from inventory.ambiguities u where u.org_id = i.org_id and u.iac_resource_id = i.id
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

-- States with rules of security groups whose ids they don't have are taken once more at their next push.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select
     from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type = 'aws_security_group_rule'
      and not i.inline
      and not i.is_unsure
      and array_to_string(i.keys, ' ') !~ '[|/]sgr-'
 );

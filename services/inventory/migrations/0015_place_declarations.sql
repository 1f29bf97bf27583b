alter table inventory.cloud_accounts
  -- Of a Google project that was added by its number; a listing has told it.
  add column project_id text,
  -- As ids name it.
  add column named_as text not null generated always as (
    case when cloud = 'other' then external_id else lower(coalesce(project_id, external_id)) end
  ) stored;

-- What is declared, with the account of its source where that is one of its own cloud: no other can have it.
create view inventory.placed_declarations with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.canonical_type, i.provider_name, i.cloud,
         i.account, i.region, i.keys, i.inline, i.listed, i.tagged, i.loss, a.id as source_account_id
    from inventory.iac_resources i
    join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
    left join inventory.cloud_accounts a
      on a.org_id = s.org_id and a.id = s.cloud_account_id and a.cloud = i.cloud;

grant select on inventory.placed_declarations to leeway_inventory;

-- Whether listings of an account show a type: those of a cloud all that it lists, other ones what they have shown.
create function inventory.shows(a inventory.cloud_accounts, listed boolean, canonical_type text)
  returns boolean
  language sql
  immutable
  as $$
    select a.swept_at is not null and (listed and a.cloud <> 'other' or canonical_type = any (a.observed_types))
  $$;

-- The account that it counts for is its source's, else the one that its own identifiers name. What no listing would show
-- is not missing, it is unobserved.
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
           when i.region <> all (a.observed_regions) then 'unobserved'
           when exists (
             select from inventory.blind_spots b
              where b.org_id = i.org_id and b.cloud_account_id = a.id
                and (b.canonical_type is null or b.canonical_type = i.canonical_type)
                and (b.region is null or i.region is null or b.region = i.region)
           ) then 'unobserved'
           when exists (
             select from inventory.matches c
              where c.org_id = i.org_id and c.iac_resource_id = i.id and c.contested
           ) then 'unobserved'
           else 'missing'
         end as status
    from inventory.placed_declarations i
    left join inventory.cloud_accounts n on n.org_id = i.org_id and n.cloud = i.cloud and n.named_as = i.account
    left join inventory.cloud_accounts a
      on a.org_id = i.org_id and a.id = coalesce(i.source_account_id, n.id)
    left join inventory.matches m
      on m.org_id = i.org_id and m.iac_resource_id = i.id and not m.contested
   where not i.inline;

-- Stacks are declared with their resources from the next push on, so that the state that is known is taken once more.
update inventory.iac_sources set content_hash = null where kind = 'cloudformation';

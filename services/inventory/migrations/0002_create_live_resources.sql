create table inventory.live_resources (
  org_id uuid not null,
  id uuid not null,
  cloud_account_id uuid not null,
  provider_resource_id text not null,
  provider_type text not null,
  normalized_type text not null,
  region text,
  name text,
  content_hash bigint not null,
  -- Whether the catalog knows what would declare it.
  mapped boolean not null,
  keys text[] not null,
  owner_keys text[] not null,
  -- The rule that would exclude it, unless it is declared or the rule is switched off.
  exclusion text,
  cloud_created_at text,
  enrichment_status text not null check (enrichment_status in ('none', 'enriched', 'failed', 'n/a')),
  enrichment_failure_reason text,
  enriched_at timestamptz,
  match_status text not null check (match_status in ('matched', 'undeclared', 'excluded', 'unchecked')),
  -- 1 identity, 2 id, 3 type and id, 4 name, 5 its owner.
  match_level smallint check (match_level between 1 and 5),
  match_conflict boolean not null default false,
  iac_resource_id uuid,
  -- JSON as text: it is passed through, never looked into here.
  tags text,
  properties text,
  redactions text,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (org_id, id),
  constraint live_resources_unique unique (org_id, provider_resource_id, provider_type, cloud_account_id),
  check ((match_status = 'matched') = (iac_resource_id is not null))
) with (fillfactor = 85);

create index live_resources_account on inventory.live_resources (org_id, cloud_account_id, id);

-- Which declared resource is which live one. A declaration that names no account can be found in
-- several; then it is in each of them, and none of them is matched.
create table inventory.matches (
  org_id uuid not null,
  iac_resource_id uuid not null,
  cloud_account_id uuid not null,
  live_resource_id uuid not null,
  level smallint not null check (level between 1 and 4),
  contested boolean not null,
  primary key (org_id, iac_resource_id, cloud_account_id)
);

create index matches_account on inventory.matches (org_id, cloud_account_id, live_resource_id);
create index matches_contested on inventory.matches (org_id, iac_resource_id) where contested;

-- What a live resource counts as, given the declaration that it is matched to.
create function inventory.match_status(iac_resource_id uuid, exclusion text, disabled text[], mapped boolean)
  returns text
  language sql
  immutable
  as $$
    select case
      when iac_resource_id is not null then 'matched'
      when exclusion is not null and exclusion <> all (disabled) then 'excluded'
      when mapped then 'undeclared'
      else 'unchecked'
    end
  $$;

create table inventory.disabled_exclusions (
  org_id uuid not null,
  rule_id text not null,
  primary key (org_id, rule_id)
);

-- What became of each declared resource, and which account it counts for: that of its source, else the
-- one that its own identifiers name. What no listing would show is not missing, it is unobserved.
create view inventory.declared_resources with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.provider_name, i.region, i.keys,
         i.loss, a.id as cloud_account_id, m.live_resource_id, m.level as match_level,
         case
           when m.live_resource_id is not null then 'matched'
           when not (i.listed or i.canonical_type = any (coalesce(a.observed_types, '{}'))) then 'unobserved'
           when a.id is not null and a.swept_at is null then 'unobserved'
           when a.tagged_only and not i.tagged then 'unobserved'
           when exists (
             select from inventory.matches c
              where c.org_id = i.org_id and c.iac_resource_id = i.id and c.contested
           ) then 'unobserved'
           else 'missing'
         end as status
    from inventory.iac_resources i
    join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
    left join inventory.cloud_accounts a
      on a.org_id = i.org_id
     and case
           when s.cloud_account_id is not null then a.id = s.cloud_account_id
           else a.cloud = i.cloud and lower(a.external_id) = i.account
         end
    left join inventory.matches m
      on m.org_id = i.org_id and m.iac_resource_id = i.id and not m.contested
   where not i.inline;

grant select on inventory.declared_resources to leeway_inventory;

call inventory.isolate('live_resources');
call inventory.isolate('matches');
call inventory.isolate('disabled_exclusions');

-- Whether no listing of an account surely has it, as it is known by a part of an id, or is in no account: it isn't missing then.
alter table inventory.iac_resources add column is_unsure boolean not null default false;

create or replace view inventory.placed_declarations with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.canonical_type, i.provider_name, i.cloud,
         i.account, i.region, i.keys, i.inline, i.listed, i.tagged, i.loss, a.id as source_account_id, i.is_unsure
    from inventory.iac_resources i
    join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
    left join inventory.cloud_accounts a
      on a.org_id = s.org_id and a.id = s.cloud_account_id and a.cloud = i.cloud;

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

-- States of stacks are taken once more at their next push, and those with what is of Google, with failover groups of Azure or
-- with what Cloud Control names otherwise.
update inventory.iac_sources s
   set content_hash = null
 where s.kind = 'cloudformation'
    or exists (
      select
        from inventory.iac_resources i
       where i.org_id = s.org_id
         and i.source_id = s.id
         and (
           i.cloud = 'gcp'
           or i.canonical_type in (
             'aws_batch_job_definition', 'aws_budgets_budget_action', 'aws_controltower_control',
             'aws_eks_identity_provider_config', 'aws_guardduty_ipset', 'aws_guardduty_threatintelset',
             'aws_lightsail_lb_certificate', 'aws_quicksight_custom_permissions', 'aws_sagemaker_app', 'aws_security_group_rule',
             'azurerm_mssql_failover_group'
           )
         )
    );

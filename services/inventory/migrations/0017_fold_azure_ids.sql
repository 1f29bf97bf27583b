-- What is equal of two ids exactly when they are the same resource's: Azure's keep no case.
create function inventory.identity(provider_resource_id text)
  returns text
  language sql
  immutable
  parallel safe
  as $$
    select case
      when starts_with(provider_resource_id, '/') -- far faster to tell of all that aren't Azure's
           and lower(left(provider_resource_id, 15) collate "C") = '/subscriptions/'
        then lower(provider_resource_id collate "C")
      else provider_resource_id
    end
  $$;

-- Of accounts that are one but for their case the one with credentials stays, else the one that was seen last; what the others
-- had is found again in it.
create temp table double_account on commit drop as
  select org_id, id, kept
    from (
      select org_id, id,
             first_value(id) over (
               partition by org_id, provider, named_as
               order by credential_kind is null, swept_at desc nulls last, id
             ) as kept
        from inventory.cloud_accounts
    ) account
   where id <> kept;

update inventory.iac_sources s
   set cloud_account_id = d.kept
  from double_account d
 where s.org_id = d.org_id
   and s.cloud_account_id = d.id;

delete from inventory.matches m using double_account d where m.org_id = d.org_id and m.cloud_account_id = d.id;
delete from inventory.live_resources l using double_account d where l.org_id = d.org_id and l.cloud_account_id = d.id;
delete from inventory.drift_changes c using double_account d where c.org_id = d.org_id and c.cloud_account_id = d.id;
delete from inventory.drift_fingerprints f using double_account d where f.org_id = d.org_id and f.cloud_account_id = d.id;
delete from inventory.cloud_accounts a using double_account d where a.org_id = d.org_id and a.id = d.id;

alter table inventory.cloud_accounts
  drop constraint cloud_accounts_unique,
  add constraint cloud_accounts_unique unique (org_id, provider, named_as);

-- Of rows that are one resource the first stays. Nothing declared is matched to them: they have the same keys.
delete from inventory.live_resources l
 using inventory.live_resources first
 where first.org_id = l.org_id
   and first.cloud_account_id = l.cloud_account_id
   and first.provider_type = l.provider_type
   and first.id < l.id
   and l.provider_resource_id ilike '/subscriptions/%'
   and first.provider_resource_id ilike '/subscriptions/%'
   and inventory.identity(first.provider_resource_id) = inventory.identity(l.provider_resource_id);

alter table inventory.live_resources drop constraint live_resources_unique;
create unique index live_resources_unique on inventory.live_resources
  (org_id, inventory.identity(provider_resource_id), provider_type, cloud_account_id);

-- Counted before anything is held. Whoever has matched since 0037 has put down in counted_orgs whether the counts are right:
-- those of that organization stay as they are. Whoever does so now waits for the end of this.
create temp table counted on commit drop as
  select org_id, source_id, cloud, account, any_value(cloud_account_id) as cloud_account_id,
         count(*) filter (where status = 'matched') as matched,
         count(*) filter (where status = 'missing') as missing,
         count(*) filter (where status = 'unobserved') as unobserved
    from (
      select org_id, source_id, cloud, coalesce(account, '') as account, cloud_account_id, status
        from inventory.declared_resources
      offset 0
    ) d
   group by org_id, source_id, cloud, account;

with right_ones as (
  insert into inventory.counted_orgs (org_id, is_right)
  select distinct org_id, true from inventory.iac_sources
  on conflict (org_id) do nothing
  returning org_id
)
insert into inventory.source_counts (
  org_id, source_id, cloud, account, cloud_account_id, matched, missing, unobserved
)
select org_id, source_id, cloud, account, cloud_account_id, matched, missing, unobserved
  from counted
 where org_id in (select org_id from right_ones);

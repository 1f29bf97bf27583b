import type { Transaction } from "@leeway/shared/database/database";

/**
 * Creates the temporary table `live_parts` with the live resource of the account that contains each declared part
 * (see `Cloud.wholeKeys`). A key of several live resources identifies none of them, as in matching.
 */
export async function gatherParts(tx: Transaction, accountId: string): Promise<void> {
  await gatherDeclared(tx, accountId);
  // Without `materialized` the planner, which has no statistics on the keys, may scan all parts for each live
  // resource.
  await tx`
    create temp table live_parts on commit drop as
    with live as materialized (
      select l.id, l.region, k.key
        from inventory.live_resources l
       cross join unnest(l.keys) as k (key)
       where l.org_id = ${tx.orgId}
         and l.cloud_account_id = ${accountId}
    )
    select distinct found.live_id, found.iac_id
      from (
        select p.iac_id, (array_agg(l.id))[1] as live_id
          from (select * from declared_parts) p
          join live l on l.key = p.key and coalesce(l.region = p.region, true)
         group by p.iac_id, p.key
        having count(*) = 1
      ) found
  `;
  await tx`create index on live_parts (live_id)`;
}

/**
 * Selects parts that can be in the account, by the keys of their wholes. Role grants are in the account of their
 * resource, and records in the account of their zone, whatever the account of their source.
 */
async function gatherDeclared(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    create temp table declared_parts on commit drop as
    select i.id as iac_id, i.region, k.key
      from inventory.declared_attributes d
      join inventory.placed_declarations i on i.org_id = d.org_id and i.id = d.iac_resource_id
      join inventory.cloud_accounts a on a.org_id = d.org_id and a.cloud = i.cloud
     cross join unnest(d.whole_keys) as k (key)
     where d.org_id = ${tx.orgId}
       and d.whole_keys <> '{}'
       and a.id = ${accountId}
       and (
         i.account = a.named_as
         or i.account is null and coalesce(i.source_account_id, a.id) = a.id
         or i.cloud = 'gcp' and i.canonical_type like '%\\_iam\\_member'
         or i.canonical_type = 'aws_route53_record'
       )
  `;
  await tx`analyze declared_parts`;
}

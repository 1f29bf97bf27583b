import { partsByName } from "@leeway/clouds/aws/parts";
import type { StateHead } from "@leeway/clouds/states/read-state";
import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import { copyInto } from "@leeway/shared/database/copy-into";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { DECLARED_COLUMNS } from "@leeway/drift/reading/declared-line";

import { readMark } from "../read-mark.ts";

/** The stored edition of a source's state. */
export interface KnownState {
  /** Whether the new state comes from the source's current backend, or is pushed and there is none. */
  isFromThere: boolean;
  serial: number | undefined;
  lineage: string | undefined;
  contentHash: Buffer | undefined;
  /** Whether this code has read it. Other code may have stored less of it. */
  isReadSo: boolean;
}

/** Fills the temporary table `incoming_declared` with the lines of a state, compressed with zstd. */
export async function loadDeclared(tx: Transaction, chunks: Iterable<Uint8Array>): Promise<void> {
  await tx`
    create temp table incoming_declared (
      id uuid, address text, module_address text, type text, canonical_type text, provider_name text,
      provider_config text, cloud text, account text, region text, keys text[], inline boolean, listed boolean,
      tagged boolean, loss text, attributes text, whole_keys text[], is_unsure boolean
    ) on commit drop
  `;
  const copy = await tx.raw`copy incoming_declared (${tx.part(DECLARED_COLUMNS)}) from stdin`.writable();
  await copyInto(copy, async (write) => {
    for (const chunk of chunks) await write(await Bun.zstdDecompress(chunk));
  });
  await tx`analyze incoming_declared (address, provider_config, account)`;
  await inferAccounts(tx);
  await inferRegions(tx);
}

/** Infers the account of a provider configuration's resources, if those that name one agree. */
async function inferAccounts(tx: Transaction): Promise<void> {
  await tx`
    update incoming_declared i
       set account = known.account
      from (
        select cloud, provider_config, min(account) as account
          from incoming_declared
         where account is not null
         group by cloud, provider_config
        having count(distinct account) = 1
      ) known
     where i.account is null
       and i.cloud = known.cloud
       and i.provider_config = known.provider_config
  `;
}

/**
 * Infers the region of a provider configuration's resources, if those that name one agree. A part that is known only
 * by name needs it to find its whole.
 */
async function inferRegions(tx: Transaction): Promise<void> {
  await tx`
    update incoming_declared i
       set region = known.region
      from (
        select cloud, provider_config, min(region) as region
          from incoming_declared
         where region is not null
         group by cloud, provider_config
        having count(distinct region) = 1
      ) known
     where i.region is null
       and i.canonical_type = any (${[...partsByName()]}::text[])
       and i.cloud = known.cloud
       and i.provider_config = known.provider_config
  `;
}

/** Serializes changes of a source's declarations. Take it before `lockMatching`. */
export async function lockSource(tx: Transaction, sourceId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`source ${sourceId}`}, 0))`;
}

/** Does the same for every source of the organization. */
export async function lockSources(tx: Transaction): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended('source ' || id, 0))
      from (select id from inventory.iac_sources where org_id = ${tx.orgId} order by id) s
  `;
}

/** Locks the source's row until the transaction ends. */
export async function holdSource(tx: Transaction, sourceId: string): Promise<void> {
  await tx`select from inventory.iac_sources where org_id = ${tx.orgId} and id = ${sourceId} for update`;
}

/**
 * Returns the source's state; undefined if the source doesn't exist.
 * @param backend of the new state; null if it was pushed
 */
export async function knownState(
  tx: OrgStatements,
  sourceId: string,
  backend: ShownBackend | null,
): Promise<KnownState | undefined> {
  const [row] = await tx<{
    serial: string | null;
    lineage: string | null;
    content_hash: Buffer | null;
    read_by: string | null;
    is_from_there: boolean;
  }>`
    select serial, lineage, content_hash, read_by::text,
           backend is not distinct from ${backend && tx.part.json({ ...backend })}::jsonb as is_from_there
      from inventory.iac_sources
     where org_id = ${tx.orgId}
       and id = ${sourceId}
  `;
  if (!row) return undefined;
  return {
    isFromThere: row.is_from_there,
    serial: row.serial === null ? undefined : Number(row.serial),
    lineage: row.lineage ?? undefined,
    contentHash: row.content_hash ?? undefined,
    isReadSo: row.content_hash !== null && row.read_by === (await readMark(row.content_hash)),
  };
}

/**
 * Replaces the source's declarations with `incoming_declared`. A resource keeps its id if its address stays.
 * @returns the ids of those that are gone
 */
export async function replaceDeclared(tx: Transaction, sourceId: string): Promise<string[]> {
  await tx`
    delete from inventory.declared_attributes a
     using inventory.iac_resources r
     where a.org_id = ${tx.orgId}
       and r.org_id = ${tx.orgId}
       and r.source_id = ${sourceId}
       and r.id = a.iac_resource_id
       and not exists (
         select from (select address from incoming_declared where attributes is not null) i where i.address = r.address
       )
  `;
  const gone = await tx<{ id: string }>`
    delete from inventory.iac_resources r
     where r.org_id = ${tx.orgId}
       and r.source_id = ${sourceId}
       and not exists (select from (select address from incoming_declared) i where i.address = r.address)
    returning r.id
  `;
  await mergeDeclared(tx, sourceId);
  await mergeAttributes(tx, sourceId);
  return gone.map(({ id }) => id);
}

async function mergeDeclared(tx: Transaction, sourceId: string): Promise<void> {
  await tx`
    insert into inventory.iac_resources (
      org_id, id, source_id, address, module_address, type, canonical_type, provider_name, cloud, account, region,
      keys, inline, listed, tagged, loss, is_unsure
    )
    select distinct on (address)
           ${tx.orgId}, id, ${sourceId}, address, module_address, type, canonical_type, provider_name, cloud, account,
           region, keys, inline, listed, tagged, loss, is_unsure
      from incoming_declared
     order by address, inline
    on conflict (org_id, source_id, address) do update
       set module_address = excluded.module_address, type = excluded.type, canonical_type = excluded.canonical_type,
           provider_name = excluded.provider_name, cloud = excluded.cloud, account = excluded.account,
           region = excluded.region, keys = excluded.keys, inline = excluded.inline, listed = excluded.listed,
           tagged = excluded.tagged, loss = excluded.loss, is_unsure = excluded.is_unsure,
           shown_tagged = iac_resources.shown_tagged and iac_resources.keys = excluded.keys -- with other keys, it is another resource
     where (iac_resources.type, iac_resources.keys, iac_resources.account, iac_resources.region,
            iac_resources.tagged, iac_resources.inline, iac_resources.listed, iac_resources.loss,
            iac_resources.provider_name, iac_resources.module_address, iac_resources.cloud,
            iac_resources.canonical_type, iac_resources.is_unsure)
           is distinct from (excluded.type, excluded.keys, excluded.account, excluded.region,
            excluded.tagged, excluded.inline, excluded.listed, excluded.loss,
            excluded.provider_name, excluded.module_address, excluded.cloud, excluded.canonical_type, excluded.is_unsure)
  `;
}

async function mergeAttributes(tx: Transaction, sourceId: string): Promise<void> {
  await tx`
    insert into inventory.declared_attributes as a (org_id, iac_resource_id, attributes, whole_keys)
    select distinct on (r.id) ${tx.orgId}, r.id, i.attributes, i.whole_keys
      from (select id, address, attributes, whole_keys from incoming_declared where attributes is not null) i
      join inventory.iac_resources r on r.address = i.address
     where r.org_id = ${tx.orgId}
       and r.source_id = ${sourceId}
     order by r.id, i.id
    on conflict (org_id, iac_resource_id) do update
       set attributes = excluded.attributes, whole_keys = excluded.whole_keys
     where (a.attributes, a.whole_keys) <> (excluded.attributes, excluded.whole_keys)
  `;
}

/** Stores which state the source has now. */
export async function recordState(tx: Transaction, sourceId: string, head: StateHead): Promise<void> {
  await tx`
    update inventory.iac_sources
       set kind = ${head.kind}, serial = ${head.serial ?? null}, lineage = ${head.lineage ?? null},
           content_hash = ${head.hash.text}, read_by = ${await readMark(head.hash.text)}::bigint, pushed_at = now(), updated_at = now(), resource_count = ${head.count}
     where org_id = ${tx.orgId}
       and id = ${sourceId}
  `;
}

/**
 * Returns accounts with live resources that the source's declarations can concern: named accounts, its own, and all
 * of the cloud for declarations without an account. Accounts with its matches are included, and its own if a plan
 * reports it.
 */
export async function concernedAccounts(tx: Transaction, sourceId: string): Promise<string[]> {
  const rows = await tx<{ id: string }>`
    with placed as materialized (
      select distinct cloud, account, source_account_id
        from inventory.placed_declarations
       where org_id = ${tx.orgId}
         and source_id = ${sourceId}
    )
    select a.id
      from inventory.cloud_accounts a
     where a.org_id = ${tx.orgId}
       and a.swept_at is not null
       and (
         exists (
           select
             from placed i
            where i.cloud = a.cloud
              and (i.account = a.named_as
                   or i.source_account_id = a.id
                   or i.account is null and i.source_account_id is null)
         )
         or a.id = any (array(
           select m.cloud_account_id
             from inventory.matches m
            where m.org_id = ${tx.orgId}
              and m.iac_resource_id = any (array(
                select i.id from inventory.iac_resources i where i.org_id = ${tx.orgId} and i.source_id = ${sourceId}
              )) -- an array, so that it reads no other matches
         ))
         or exists (
           select
             from inventory.plan_changes p
             join inventory.iac_sources s on s.org_id = p.org_id and s.id = p.source_id
            where p.org_id = ${tx.orgId}
              and p.source_id = ${sourceId}
              and s.cloud_account_id = a.id
         )
       )
     order by a.id
  `;
  return rows.map(({ id }) => id);
}

/** Returns accounts with matches of deleted declarations. */
export async function accountsOfGone(tx: Transaction, gone: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }>`
    select distinct cloud_account_id as id
      from inventory.matches
     where org_id = ${tx.orgId}
       and iac_resource_id = any (${[...gone]}::uuid[])
  `;
  return rows.map(({ id }) => id);
}

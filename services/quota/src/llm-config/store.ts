import type { Provider, ProviderOptions } from "@leeway/shared/contracts/quota/llm-config";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import type { Breaker } from "./breaker.ts";
import type { Connection } from "../model/connection.ts";

/** A stored key and the state of its calls. */
export interface StoredKey {
  /** Id of the key; a replacement gets a new one. */
  id: string;
  connection: Connection;
  sealed: Uint8Array;
  breaker: Breaker;
  hint: string;
  fingerprint: string;
  createdAt: Date;
  updatedAt: Date;
  lastUsedAt: Date | undefined;
  /** Time of the database, which every instance uses. */
  now: Date;
}

export interface NewKey {
  id: string;
  connection: Connection;
  sealed: Buffer;
  hint: string;
  fingerprint: string;
}

interface KeyRow extends Row {
  id: string;
  provider: Provider;
  model: string;
  base_url: string | null;
  options: ProviderOptions | null;
  sealed_key: Uint8Array;
  key_hint: string;
  key_fingerprint: string;
  failures: number;
  trips: number;
  retry_at: Date | null;
  leased_until: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
  now: Date;
}

const columns = (sql: Statements) => sql.part`
  id, provider, model, base_url, options, sealed_key, key_hint, key_fingerprint, failures, trips, retry_at,
  leased_until, last_used_at, created_at, updated_at, clock_timestamp() as now
`;

/** Returns the organization's own key. */
export async function findKey(sql: OrgStatements): Promise<StoredKey | undefined> {
  const [row] = await sql<KeyRow>`
    select ${columns(sql)}
      from quota.llm_configs
     where org_id = ${sql.orgId}
  `;
  return row && fromRow(row);
}

/** Returns the key, locked against changes until the transaction ends. */
export async function lockKey(tx: OrgStatements): Promise<StoredKey | undefined> {
  const [row] = await tx<KeyRow>`
    select ${columns(tx)}
      from quota.llm_configs
     where org_id = ${tx.orgId}
       for update
  `;
  return row && fromRow(row);
}

/** Stores the organization's key in place of the previous one, and resets its call history. */
export async function saveKey(
  sql: OrgStatements,
  { id, connection, sealed, hint, fingerprint }: NewKey,
): Promise<StoredKey & { created: boolean }> {
  const { provider, model, baseUrl = null, options } = connection;
  const [row] = await sql<KeyRow & { created: boolean }>`
    insert into quota.llm_configs as c (
      org_id, id, provider, model, base_url, options, sealed_key, key_hint, key_fingerprint
    )
    values (
      ${sql.orgId}, ${id}, ${provider}, ${model}, ${baseUrl}, ${options ? sql.part.json({ ...options }) : null},
      ${sealed}, ${hint}, ${fingerprint}
    )
    on conflict (org_id) do update
       set id = excluded.id,
           provider = excluded.provider,
           model = excluded.model,
           base_url = excluded.base_url,
           options = excluded.options,
           sealed_key = excluded.sealed_key,
           key_hint = excluded.key_hint,
           key_fingerprint = excluded.key_fingerprint,
           failures = 0,
           trips = 0,
           retry_at = null,
           leased_until = null,
           last_used_at = null,
           updated_at = now()
    returning ${columns(sql)}, c.xmax = 0 as created -- xmax is 0 for an inserted row; an updated row was locked by this statement
  `;
  if (!row) throw new Error("the model key wasn't saved");
  return { ...fromRow(row), created: row.created };
}

/** Deletes the key; returns its provider, or undefined if there was none. */
export async function deleteKey(sql: OrgStatements): Promise<Provider | undefined> {
  const [row] = await sql<{ provider: Provider }>`
    delete from quota.llm_configs where org_id = ${sql.orgId} returning provider
  `;
  return row?.provider;
}

/** Stores the state of a key's breaker. */
export async function setBreaker(tx: OrgStatements, breaker: Breaker): Promise<void> {
  const { failures, trips, retryAt = null, leasedUntil = null } = breaker;
  await tx`
    update quota.llm_configs
       set failures = ${failures}, trips = ${trips}, retry_at = ${retryAt}, leased_until = ${leasedUntil}
     where org_id = ${tx.orgId}
  `;
}

/** Records that a key is used now. */
export async function noteUse(tx: OrgStatements): Promise<void> {
  await tx`update quota.llm_configs set last_used_at = clock_timestamp() where org_id = ${tx.orgId}`;
}

function fromRow(row: KeyRow): StoredKey {
  const { provider, model, base_url: baseUrl, options, failures, trips } = row;
  return {
    id: row.id,
    connection: { provider, model, ...present({ baseUrl, options }) },
    sealed: row.sealed_key,
    breaker: { failures, trips, ...present({ retryAt: row.retry_at, leasedUntil: row.leased_until }) },
    hint: row.key_hint,
    fingerprint: row.key_fingerprint,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastUsedAt: row.last_used_at ?? undefined,
    now: row.now,
  };
}

/** Returns the number of keys, by provider, whose breaker is open. */
export async function openBreakers(sql: Statements): Promise<{ provider: string; open: number }[]> {
  return sql<{ provider: string; open: number }>`select provider, open from quota.open_breakers()`;
}

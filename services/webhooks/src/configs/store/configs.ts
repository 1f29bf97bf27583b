import type { Actor } from "@leeway/shared/contracts/common";
import type { WebhookConfig } from "@leeway/shared/contracts/webhooks/configs";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { endOfToken } from "../../code-host/token.ts";

/** Maximum of configs per source. A call is checked against each of them. */
const MAX_CONFIGS = 50;

/** Config as stored, without its URL. */
export type StoredConfig = Omit<WebhookConfig, "url">;

/** Sealed token, with the facts that the code host returned about it. */
export interface StoredToken {
  sealed: Buffer;
  name: string;
  username: string;
  scopes: string[];
  /** Day at whose start (UTC) the token expires, as `YYYY-MM-DD`. */
  expiresOn: string;
}

/** Token values that leave all columns unchanged. */
const NO_TOKEN = { sealed: null, name: null, username: null, scopes: null, expiresOn: null };

export interface NewConfig {
  id: string;
  source: Source;
  name: string | undefined;
  repoPath: string | undefined;
  enabled: boolean;
  baseUrl: string | undefined;
  token: StoredToken | undefined;
  createdBy: Actor;
}

interface ConfigRow extends Row {
  id: string;
  source: Source;
  name: string | null;
  prefix: string;
  enabled: boolean;
  repo_path: string | null;
  provider_base_url: string | null;
  token_name: string | null;
  token_username: string | null;
  token_scopes: string[] | null;
  token_expires_on: string | null;
  token_checked_at: Date | null;
  token_error: string | null;
  last_event_at: Date | null;
  last_status: WebhookConfig["last_status"] | null;
  consecutive_rejects: number;
  last_reject_at: Date | null;
  last_reject_reason: string | null;
  created_by: Actor;
  created_at: Date;
  updated_at: Date;
}

const columns = (sql: Statements) => sql.part`
  c.id, c.source, c.name, c.enabled, c.repo_path, c.provider_base_url, c.token_name, c.token_username,
  c.token_scopes, c.token_expires_on::text, c.token_checked_at, c.token_error, c.last_event_at, c.last_status,
  c.consecutive_rejects, c.last_reject_at, c.last_reject_reason, c.created_by, c.created_at, c.updated_at
`;

const withSecret = (sql: OrgStatements) => sql.part`
  webhooks.configs c
  join webhooks.secrets s on s.org_id = c.org_id and s.config_id = c.id and s.expires_at is null
 where c.org_id = ${sql.orgId}
`;

/** Returns a page of configs, oldest first. */
export async function listConfigs(
  sql: OrgStatements,
  { source }: { source: Source | undefined },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredConfig[]> {
  const rows = await sql<ConfigRow>`
    select ${columns(sql)}, s.prefix
      from ${withSecret(sql)}
       and (${after ?? null}::uuid is null or c.id > ${after ?? null})
       and (${source ?? null}::text is null or c.source = ${source ?? null})
     order by c.id
     limit ${limit}
  `;
  return rows.map((row) => fromRow(sql.orgId, row));
}

export async function getConfig(sql: OrgStatements, configId: string): Promise<StoredConfig | undefined> {
  const [row] = await sql<ConfigRow>`
    select ${columns(sql)}, s.prefix
      from ${withSecret(sql)}
       and c.id = ${configId}
  `;
  return row && fromRow(sql.orgId, row);
}

/** Inserts a config without a secret; returns false if it exists or its source has too many. */
export async function insertConfig(tx: Transaction, config: NewConfig): Promise<boolean> {
  const { name = null, repoPath = null, baseUrl = null, token = NO_TOKEN } = config;
  // Concurrent inserts wait here, and then count this config.
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks.configs ' || ${tx.orgId}, 0))`;
  const made = await tx`
    insert into webhooks.configs (
      org_id, id, source, name, repo_path, enabled, provider_base_url, created_by, sealed_api_token,
      token_name, token_username, token_scopes, token_expires_on, token_checked_at
    )
    select ${tx.orgId}, ${config.id}, ${config.source}, ${name}, ${repoPath},
           ${config.enabled}, ${baseUrl}, ${tx.part.json(config.createdBy)},
           ${token.sealed}::bytea, ${token.name}, ${token.username},
           ${token.scopes}::text[], ${token.expiresOn}::date,
           case when ${token !== NO_TOKEN} then now() end
     where (
       select count(*) from webhooks.configs where org_id = ${tx.orgId} and source = ${config.source}
     ) < ${MAX_CONFIGS}
    on conflict (org_id, id) do nothing
    returning id
  `;
  return made.length > 0;
}

/** Updates the given fields; returns false if there is no such config. */
export async function updateConfig(
  sql: OrgStatements,
  configId: string,
  changes: { enabled: boolean | undefined; token: StoredToken | undefined },
): Promise<boolean> {
  const { enabled = null, token = NO_TOKEN } = changes;
  const isNew = token !== NO_TOKEN;
  const changed = await sql`
    update webhooks.configs
       set enabled = coalesce(${enabled}, enabled),
           sealed_api_token = coalesce(${token.sealed}::bytea, sealed_api_token),
           token_name = coalesce(${token.name}, token_name),
           token_username = coalesce(${token.username}, token_username),
           token_scopes = coalesce(${token.scopes}::text[], token_scopes),
           token_expires_on = coalesce(${token.expiresOn}::date, token_expires_on),
           token_checked_at = greatest(token_checked_at, now() + case when ${isNew} then interval '0' end),
           token_error = case when ${isNew} then null else token_error end,
           updated_at = now()
     where org_id = ${sql.orgId}
       and id = ${configId}
  `;
  return changed.count > 0;
}

/**
 * Deletes a config and its secrets; returns false if there is none. Its deliveries are kept for their usual
 * retention.
 */
export async function deleteConfig(sql: OrgStatements, configId: string): Promise<boolean> {
  const gone = await sql`delete from webhooks.configs where org_id = ${sql.orgId} and id = ${configId}`;
  return gone.count > 0;
}

/** Deletes all configs, deliveries and events of an organization. */
export async function purgeOrg(tx: Transaction): Promise<void> {
  const { orgId } = tx;
  await tx`delete from webhooks.events where org_id = ${orgId}`;
  await tx`delete from webhooks.bodies where org_id = ${orgId}`;
  await tx`delete from webhooks.recent_bodies where org_id = ${orgId}`;
  await tx`delete from webhooks.deliveries where org_id = ${orgId}`;
  await tx`delete from webhooks.turns where org_id = ${orgId}`;
  await tx`delete from webhooks.configs where org_id = ${orgId}`;
  await tx`delete from webhooks.audit_outbox where org_id = ${orgId}`;
}

function fromRow(orgId: string, row: ConfigRow): StoredConfig {
  const lastReject = row.last_reject_at && {
    at: row.last_reject_at.toISOString(),
    reason: row.last_reject_reason ?? "",
  };
  return {
    id: row.id,
    org_id: orgId,
    source: row.source,
    secret_prefix: row.prefix,
    enabled: row.enabled,
    consecutive_rejects: row.consecutive_rejects,
    ...present({
      name: row.name,
      repo_path: row.repo_path,
      provider_base_url: row.provider_base_url,
      api_token_status: tokenStatus(row),
      last_event_at: row.last_event_at?.toISOString(),
      last_status: row.last_status,
      last_reject: lastReject,
    }),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function tokenStatus(row: ConfigRow): WebhookConfig["api_token_status"] {
  if (row.token_expires_on === null || row.token_checked_at === null) return undefined;
  return {
    configured: true,
    name: row.token_name ?? "",
    username: row.token_username ?? "",
    scopes: row.token_scopes ?? [],
    ...endOfToken(row.token_expires_on, new Date()),
    last_checked_at: row.token_checked_at.toISOString(),
    ...present({ last_error: row.token_error }),
  };
}

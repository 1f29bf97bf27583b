import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";

/** Stores a config's secret, with the id of the rotation that created it, if any. */
export async function insertSecret(
  tx: Transaction,
  configId: string,
  { prefix, sealed, rotationId }: { prefix: string; sealed: Buffer; rotationId: string | undefined },
): Promise<void> {
  await tx`
    insert into webhooks.secrets (org_id, config_id, prefix, sealed, rotation_id)
    values (${tx.orgId}, ${configId}, ${prefix}, ${sealed}, ${rotationId ?? null})
  `;
}

/**
 * Locks a config's secrets against rotation until the transaction ends. A waiting rotation then sees the new secret.
 */
export async function holdSecrets(tx: Transaction, configId: string): Promise<void> {
  await tx`select from webhooks.configs where org_id = ${tx.orgId} and id = ${configId} for no key update`;
}

interface CurrentSecret extends Row {
  prefix: string;
  sealed: Uint8Array;
  /** Id of the rotation that created the secret. */
  rotation_id: string | null;
}

/** Returns the secret without an expiry; undefined if there is no such config. */
export async function currentSecret(tx: Transaction, configId: string): Promise<CurrentSecret | undefined> {
  const [row] = await tx<CurrentSecret>`
    select prefix, sealed, rotation_id
      from webhooks.secrets
     where org_id = ${tx.orgId}
       and config_id = ${configId}
       and expires_at is null
  `;
  return row;
}

/** Expires the current secret after the overlap, and deletes earlier ones at once; returns false if there is none. */
export async function endSecret(tx: Transaction, configId: string, overlapHours: number): Promise<boolean> {
  await tx`
    update webhooks.configs
       set updated_at = now()
     where org_id = ${tx.orgId}
       and id = ${configId}
  `;
  await tx`
    delete from webhooks.secrets
     where org_id = ${tx.orgId}
       and config_id = ${configId}
       and expires_at is not null
  `;
  const ended = await tx`
    update webhooks.secrets
       set expires_at = now() + make_interval(hours => ${overlapHours})
     where org_id = ${tx.orgId}
       and config_id = ${configId}
  `;
  return ended.count > 0;
}

/** Valid secret, with the fields of its config that decide about a call. */
export interface LiveSecret {
  config_id: string;
  repo_path: string | null;
  /** Username that comments by the config's token have. */
  token_username: string | null;
  prefix: string;
  sealed: Uint8Array;
  expires_at: Date | null;
}

/** Returns the valid secrets of all enabled configs of a source. */
export async function liveSecrets(sql: OrgStatements, source: Source): Promise<LiveSecret[]> {
  return sql<LiveSecret>`
    select s.config_id, c.repo_path, c.token_username, s.prefix, s.sealed, s.expires_at
      from webhooks.configs c
      join webhooks.secrets s on s.org_id = c.org_id and s.config_id = c.id
     where c.org_id = ${sql.orgId}
       and c.source = ${source}
       and c.enabled
       and (s.expires_at is null or s.expires_at > now())
     order by s.config_id
  `;
}

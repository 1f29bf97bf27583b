import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";

/** Gives a config its secret, after a rotation by the rotation's id. */
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

/** Keeps a config's secrets from being rotated until the transaction ends: who waits for it sees what is new. */
export async function holdSecrets(tx: Transaction, configId: string): Promise<void> {
  await tx`select from webhooks.configs where org_id = ${tx.orgId} and id = ${configId} for no key update`;
}

interface CurrentSecret extends Row {
  prefix: string;
  sealed: Uint8Array;
  /** Of the rotation that made it. */
  rotation_id: string | null;
}

/** The secret of a config that doesn't end; undefined when there is no such config. */
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

/** Lets the secret of a config end in a while, and one that was ending already now; false when there is none. */
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

/** A secret that is good now, with what of its config decides on a call. */
export interface LiveSecret {
  config_id: string;
  repo_path: string | null;
  /** By whom the comments of the config's own token are. */
  token_username: string | null;
  prefix: string;
  sealed: Uint8Array;
  expires_at: Date | null;
}

/** The secrets of all enabled configs of a source. */
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

import type { ReadableBackend } from "@leeway/connectors/backends/fetch-backend";
import type { Backend, ReadError, ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";
import { open, seal, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { readMark } from "../read-mark.ts";

const SEALED_IN = "inventory.iac_sources";

/** A backend to read. */
interface KeptBackend extends ReadableBackend {
  accountId: string | undefined;
  /** The current time by the database's clock, to the microsecond. */
  began: string;
}

/**
 * Sets where a source's state is read from, which is due at once; null: the state is pushed. A new place may have an
 * older edition, so the first state from there is always accepted.
 */
export async function setBackend(
  sql: OrgStatements,
  ring: KeyRing,
  { sourceId, backend }: { sourceId: string; backend: Backend | null },
): Promise<void> {
  const { shown, secret } = backend ? parted(backend) : { shown: null, secret: undefined };
  const sealed = secret === undefined ? null : seal(ring, placeOf(sql, sourceId), secret);
  const isSame = sql.part`(${shown === null} or backend = ${shown && sql.part.json({ ...shown })}::jsonb)`;
  await sql`
    update inventory.iac_sources
       set backend = ${shown && sql.part.json({ ...shown })}::jsonb, sealed_backend_secret = ${sealed},
           serial = case when ${isSame} then serial end, lineage = case when ${isSame} then lineage end,
           backend_edition = null, read_at = null, read_error = null, unread_since = null, unread_told = false,
           read_began_at = now(), next_read_at = ${shown === null ? sql.part`null` : sql.part`now()`}, updated_at = now()
     where org_id = ${sql.orgId}
       and id = ${sourceId}
  `;
}

/** Separates the public fields of a backend from its secret. */
function parted(backend: Backend): { shown: ShownBackend; secret: string | undefined } {
  switch (backend.type) {
    case "http": {
      const { password, ...shown } = backend;
      return { shown, secret: password };
    }
    case "remote": {
      const { token, ...shown } = backend;
      return { shown, secret: token };
    }
    case "s3":
    case "gcs":
    case "azurerm":
      return { shown: backend, secret: undefined };
  }
}

function placeOf({ orgId }: OrgStatements, rowId: string): SealedPlace {
  return { orgId, table: SEALED_IN, rowId };
}

/**
 * Returns due sources of all organizations, one of each that isn't in `busy`. No other process gets them for `pause`.
 */
export async function leaseStates(
  sql: Statements,
  pause: string,
  { most, busy }: { most: number; busy: string[] },
): Promise<{ orgId: string; sourceId: string }[]> {
  const rows = await sql<{ org_id: string; source_id: string }>`
    select org_id, source_id from inventory.lease_states(${pause}::interval, ${most}, ${busy}::uuid[])
  `;
  return rows.map(({ org_id: orgId, source_id: sourceId }) => ({ orgId, sourceId }));
}

export async function findBackend(
  sql: OrgStatements,
  ring: KeyRing,
  sourceId: string,
): Promise<KeptBackend | undefined> {
  const [row] = await sql<{
    backend: ShownBackend;
    sealed: Buffer | null;
    cloud_account_id: string | null;
    content_hash: Buffer | null;
    read_by: string | null;
    backend_edition: string | null;
    began: string;
  }>`
    select backend, now()::text as began, sealed_backend_secret as sealed, cloud_account_id,
           content_hash, read_by::text, backend_edition
      from inventory.iac_sources
     where org_id = ${sql.orgId}
       and id = ${sourceId}
       and backend is not null
  `;
  if (!row) return undefined;
  const { backend, sealed, content_hash: hash } = row;
  const isReadSo = hash !== null && row.read_by === (await readMark(hash));
  return {
    backend,
    secret: () => (sealed ? open(ring, placeOf(sql, sourceId), sealed) : undefined),
    accountId: row.cloud_account_id ?? undefined,
    edition: isReadSo ? (row.backend_edition ?? undefined) : undefined,
    began: row.began,
  };
}

/** One read of a source's backend. */
export interface Reading {
  sourceId: string;
  backend: ShownBackend;
  /** `began` of the `KeptBackend`. */
  began: string;
}

/** Condition that the source still has this backend, and no later read has been recorded. */
const isCurrent = (sql: OrgStatements, { backend, began }: Reading) =>
  sql.part`backend = ${sql.part.json({ ...backend })}::jsonb and coalesce(read_began_at <= ${began}::timestamptz, true)`;

/** Records that a backend was read, unless the source has another backend by now or a later read was recorded. */
export async function noteRead(
  sql: OrgStatements,
  reading: Reading,
  edition: string | undefined,
): Promise<void> {
  await sql`
    update inventory.iac_sources
       set read_at = now(), read_error = null, unread_since = null, unread_told = false,
           backend_edition = coalesce(${edition ?? null}, backend_edition), read_began_at = ${reading.began}::timestamptz
     where org_id = ${sql.orgId}
       and id = ${reading.sourceId}
       and ${isCurrent(sql, reading)}
  `;
}

/** A source whose backend couldn't be read for long. People are notified once. */
export interface LongUnread {
  name: string;
  accountId: string | undefined;
  since: Date;
  readAt: Date | undefined;
}

/**
 * Records why a backend couldn't be read, unless the source has another backend by now or a later read was recorded.
 * @returns the source once failures have lasted for `patience`, the first time only
 */
export async function noteUnread(
  sql: OrgStatements,
  reading: Reading,
  { error, patience }: { error: ReadError; patience: string },
): Promise<LongUnread | undefined> {
  const [row] = await sql<{
    name: string;
    cloud_account_id: string | null;
    unread_since: Date;
    read_at: Date | null;
    is_news: boolean;
  }>`
    update inventory.iac_sources s
       set read_error = ${sql.part.json({ ...error })}::jsonb, unread_since = least(s.unread_since, now()),
           read_began_at = ${reading.began}::timestamptz,
           unread_told = s.unread_told or (s.unread_since <= now() - ${patience}::interval) is true
      from (
        select id, unread_told from inventory.iac_sources where org_id = ${sql.orgId} and id = ${reading.sourceId} for update
      ) before
     where s.org_id = ${sql.orgId}
       and s.id = before.id
       and ${isCurrent(sql, reading)}
    returning s.name, s.cloud_account_id, s.unread_since, s.read_at, s.unread_told and not before.unread_told as is_news
  `;
  if (!row?.is_news) return undefined;
  const { name, cloud_account_id, unread_since, read_at } = row;
  return {
    name,
    accountId: cloud_account_id ?? undefined,
    since: unread_since,
    readAt: read_at ?? undefined,
  };
}

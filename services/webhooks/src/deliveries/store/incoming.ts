import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements } from "@leeway/shared/database/database";
import { openBytes, seal, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

/** OID of the type in PostgreSQL. */
const BYTEA = 17;
/** Fastest compression level: 2 KB in 6 µs, to a third of the size. */
const LEVEL = 1;

/** Immediate outcome of a call, and its reason. */
export interface Ended {
  outcome: "ignored" | "failed";
  reason: string;
}

/** Verified call, not stored yet. */
export interface Incoming {
  id: string;
  configId: string;
  source: Source;
  kind: string | undefined;
  sha256: Buffer;
  size: number;
  /** Outcome; undefined if the delivery is still to be processed. */
  ended: Ended | undefined;
  /** Body, as {@link sealBody} returned it. */
  sealed: Buffer;
}

/** Compresses and encrypts a delivery's body, because a sender may not have masked its secrets. */
export function sealBody(ring: KeyRing, orgId: string, deliveryId: string, body: Uint8Array): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return seal(ring, placeOf(orgId, deliveryId), Bun.zstdCompressSync(bytes, { level: LEVEL }));
}

/** Decrypts a body that {@link sealBody} sealed. @throws {SealError} */
export function openBody(ring: KeyRing, orgId: string, deliveryId: string, sealed: Uint8Array): Buffer {
  return Bun.zstdDecompressSync(openBytes(ring, placeOf(orgId, deliveryId), sealed));
}

function placeOf(orgId: string, deliveryId: string): SealedPlace {
  return { orgId, table: "webhooks.bodies", rowId: deliveryId };
}

/**
 * Stores calls with different bodies in one statement. Bodies received within `dedupeHours` are skipped, unless their
 * delivery failed.
 * @returns the ids of stored calls
 */
export async function storeIncoming(
  sql: OrgStatements,
  calls: readonly Incoming[],
  dedupeHours: number,
): Promise<Set<string>> {
  const stored = await storeNew(sql, calls, dedupeHours);
  const known = calls.filter(({ id }) => !stored.has(id));
  const failed = known.length > 0 ? await forgetFailed(sql, known) : new Set();
  const again = known.filter(({ sha256 }) => failed.has(sha256.toString("hex")));
  return again.length > 0 ? stored.union(await storeNew(sql, again, dedupeHours)) : stored;
}

/** Deletes the digests of bodies whose delivery failed, and returns them in hexadecimal. */
async function forgetFailed(sql: OrgStatements, calls: readonly Incoming[]): Promise<Set<string>> {
  const rows = await sql<{ sha256: string }>`
    delete from webhooks.recent_bodies k
     using webhooks.deliveries d
     where k.org_id = ${sql.orgId}
       and k.body_sha256 = any (${sql.part.array(
         calls.map(({ sha256 }) => sha256),
         BYTEA,
       )})
       and k.source = any (${calls.map(({ source }) => source)}::text[])
       and d.org_id = ${sql.orgId}
       and d.id = k.delivery_id
       and d.outcome = 'failed'
    returning encode(k.body_sha256, 'hex') as sha256
  `;
  return new Set(rows.map(({ sha256 }) => sha256));
}

async function storeNew(
  sql: OrgStatements,
  calls: readonly Incoming[],
  dedupeHours: number,
): Promise<Set<string>> {
  // Sorted by key, so that concurrent inserts of the same bodies can't deadlock.
  const ordered = calls.toSorted((a, b) => a.sha256.compare(b.sha256));
  // The driver would mistake an array of Buffers for a single value.
  const bytes = (of: (call: Incoming) => Buffer) => sql.part.array(ordered.map(of), BYTEA);
  const rows = await sql<{ id: string }>`
    with given as (
      select id, config_id, source, kind, body_sha256, size, outcome, reason, sealed
        from unnest(
               ${ordered.map(({ id }) => id)}::uuid[],
               ${ordered.map(({ configId }) => configId)}::uuid[],
               ${ordered.map(({ source }) => source)}::text[],
               ${ordered.map(({ kind }) => kind ?? null)}::text[],
               ${bytes(({ sha256 }) => sha256)},
               ${ordered.map(({ size }) => size)}::integer[],
               ${ordered.map(({ ended }) => ended?.outcome ?? null)}::text[],
               ${ordered.map(({ ended }) => ended?.reason ?? null)}::text[],
               ${bytes(({ sealed }) => sealed)}
             ) as call (id, config_id, source, kind, body_sha256, size, outcome, reason, sealed)
    ), fresh as (
      insert into webhooks.recent_bodies as known (org_id, source, body_sha256, delivery_id)
      select ${sql.orgId}, source, body_sha256, id from given
      on conflict (org_id, source, body_sha256) do update
         set delivery_id = excluded.delivery_id, received_at = excluded.received_at
       where excluded.received_at - known.received_at > make_interval(hours => ${dedupeHours})
      returning delivery_id
    ), stored as (
      insert into webhooks.deliveries (
        org_id, id, config_id, source, kind, body_sha256, size, outcome, reason, processed_at
      )
      select ${sql.orgId}, g.id, g.config_id, g.source, g.kind, g.body_sha256, g.size,
             coalesce(g.outcome, 'pending'), g.reason,
             case when g.outcome is not null then now() end
        from given g
        join fresh f on f.delivery_id = g.id
      returning id
    ), kept as (
      insert into webhooks.bodies (org_id, id, sealed)
      select ${sql.orgId}, g.id, g.sealed from given g
        join fresh f on f.delivery_id = g.id
      returning id
    )
    select delivery_id as id from fresh
  `;
  return new Set(rows.map(({ id }) => id));
}

/** Returns the delivery that first brought a body; undefined if no recent one did. */
export async function firstDelivery(
  sql: OrgStatements,
  source: Source,
  sha256: Buffer,
): Promise<string | undefined> {
  const [row] = await sql<{ delivery_id: string }>`
    select delivery_id
      from webhooks.recent_bodies
     where org_id = ${sql.orgId}
       and source = ${source}
       and body_sha256 = ${sha256}
  `;
  return row?.delivery_id;
}

import type { PublicKey } from "@leeway/shared/contracts/inventory/identity-keys";
import type { Database, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { NO_ORGANIZATION, seal, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

/** A stored key that signs identity tokens. */
export interface StoredKey {
  id: string;
  sealed: Buffer;
  publicKey: PublicKey;
  createdAt: Date;
}

/** A new key that isn't stored yet. */
export interface KeyPair {
  publicKey: PublicKey;
  /** PEM, PKCS #8. */
  privateKey: string;
}

interface KeyRow extends Row {
  /** Null in the only row if there is no key. */
  id: string | null;
  sealed: Buffer;
  public_jwk: PublicKey;
  created_at: Date;
  now: Date;
}

/** Returns the place that a key is sealed for. */
export function keyPlace(id: string): SealedPlace {
  return { orgId: NO_ORGANIZATION, table: "inventory.signing_keys", rowId: id };
}

/** Signing keys, and the current time by the database's clock, which also dates the keys. */
interface KeysNow {
  keys: StoredKey[];
  now: Date;
}

/** Returns all keys, newest first. */
export async function listKeys(sql: Statements): Promise<KeysNow> {
  const rows = await sql<KeyRow>`
    select k.id, k.sealed_key as sealed, k.public_jwk, k.created_at, now() as now
      from (select) as clock
      left join inventory.signing_keys k on true
     order by k.created_at desc, k.id desc
  `;
  const keys = rows.flatMap(({ id, sealed, public_jwk, created_at }) =>
    id === null ? [] : { id, sealed, publicKey: public_jwk, createdAt: created_at },
  );
  return { keys, now: rows[0]?.now ?? new Date() };
}

/** Changes keys under a lock. */
export async function changeKeys(
  database: Database,
  change: (tx: Transaction, found: KeysNow) => Promise<void>,
): Promise<void> {
  await database.transaction(NO_ORGANIZATION, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('inventory.signing_keys'))`;
    await change(tx, await listKeys(tx));
  });
}

export async function addKey(
  tx: Transaction,
  ring: KeyRing,
  { publicKey, privateKey }: KeyPair,
): Promise<void> {
  const { kid } = publicKey;
  await tx`
    insert into inventory.signing_keys (id, sealed_key, public_jwk)
    values (${kid}, ${seal(ring, keyPlace(kid), privateKey)}, ${tx.part.json(publicKey)})
  `;
}

export async function removeKeys(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`delete from inventory.signing_keys where id = any (${[...ids]}::uuid[])`;
}

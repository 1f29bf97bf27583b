import type { PublicKey } from "@leeway/shared/contracts/inventory/identity-keys";
import type { Database, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { NO_ORGANIZATION, seal, type SealedPlace } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

/** A key that signs identity tokens, as it is kept. */
export interface StoredKey {
  id: string;
  sealed: Buffer;
  publicKey: PublicKey;
  createdAt: Date;
}

/** A key that isn't kept yet. */
export interface KeyPair {
  publicKey: PublicKey;
  /** PEM, PKCS #8. */
  privateKey: string;
}

interface KeyRow extends Row {
  /** Null in the one row that there is without any key. */
  id: string | null;
  sealed: Buffer;
  public_jwk: PublicKey;
  created_at: Date;
  now: Date;
}

/** Where a key is sealed. */
export function keyPlace(id: string): SealedPlace {
  return { orgId: NO_ORGANIZATION, table: "inventory.signing_keys", rowId: id };
}

/** Signing keys, and what time it is where they were dated. */
interface KeysNow {
  keys: StoredKey[];
  now: Date;
}

/** Every key, newest first. */
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

/** Changes keys while nobody else does. */
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

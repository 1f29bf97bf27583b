import { timingSafeEqual } from "node:crypto";

import type { Sql } from "postgres";

import type { Statements } from "../../database/database.ts";
import { headerOf } from "./envelope.ts";
import { deriveKeys, type KeyRing } from "./keyring.ts";

interface KnownKey {
  id: string;
  /** Derived from the key, but reveals nothing about it. */
  check_value: Uint8Array;
}

/**
 * Checks that each key of the ring has the bytes known to the service under its id, and records new keys. If
 * processes start at once with different new keys of one id, the first wins.
 * @throws {Error} naming the key and the remedy
 */
export async function checkMasterKeys(statements: Statements, schema: string, ring: KeyRing): Promise<void> {
  const values = deriveKeys(ring, "check").all;
  const given = new Map(ring.all.map(({ id }, index) => [id, values[index] ?? Buffer.alloc(0)]));
  const known = await refuseOthers(statements, schema, given);
  const fresh = [...given].filter(([id]) => !known.has(id));
  for (const [id, value] of fresh) {
    await statements`
      insert into ${statements.part(schema)}.master_keys (id, check_value)
      values (${id}, ${value})
      on conflict (id) do nothing
    `;
  }
  if (fresh.length > 0) await refuseOthers(statements, schema, given);
}

/**
 * Throws if a given key differs from the known key with its id.
 * @returns the ids of the known keys
 */
async function refuseOthers(
  statements: Statements,
  schema: string,
  given: ReadonlyMap<string, Uint8Array>,
): Promise<Set<string>> {
  const known = await statements<KnownKey>`
    select id, check_value
      from ${statements.part(schema)}.master_keys
  `;
  for (const { id, check_value: value } of known) {
    const mine = given.get(id);
    if (mine && !timingSafeEqual(mine, value)) throw new Error(refusalOf(schema, id));
  }
  return new Set(known.map(({ id }) => id));
}

function refusalOf(schema: string, id: string): string {
  return (
    `the master key ${id} differs from the key that the schema ${schema} knows by this id: ` +
    "restore the original key, or give a new key an id that was never used"
  );
}

/** A column of a schema that holds sealed values. */
interface Column {
  table: string;
  column: string;
}

/** Forgets keys that are neither in the ring nor used by any value in `columns`, which frees their ids. */
export async function forgetMasterKeys(
  sql: Sql,
  schema: string,
  { ring, columns }: { ring: KeyRing; columns: readonly Column[] },
): Promise<void> {
  const gone = await sql<{ id: string }[]>`
    select id
      from ${sql(schema)}.master_keys
     where id <> all (${ring.all.map(({ id }) => id)})
  `;
  for (const { id } of gone) {
    if (await isInUse(sql, columns, id)) continue;
    await sql`delete from ${sql(schema)}.master_keys where id = ${id}`;
  }
}

async function isInUse(sql: Sql, columns: readonly Column[], id: string): Promise<boolean> {
  const header = headerOf(id);
  for (const { table, column } of columns) {
    const [row] = await sql`
      select 1
        from ${sql(table)}
       where substring(${sql(column)} from 1 for ${header.length}) = ${header}
       limit 1
    `;
    if (row) return true;
  }
  return false;
}

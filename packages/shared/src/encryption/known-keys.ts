import { timingSafeEqual } from "node:crypto";

import type { Sql } from "postgres";

import type { Statements } from "../database/database.ts";
import { headerOf } from "./envelope.ts";
import { deriveKeys, type KeyRing } from "./keyring.ts";

interface KnownKey {
  id: string;
  /** Derived from the key, of which it tells nothing. */
  check_value: Uint8Array;
}

/**
 * Refuses a ring with a key that isn't the one which the schema's service knows by its id, and notes the keys that are new
 * to it. Of processes that start at once with different new ones, the first is right.
 * @throws {Error} that names the key and says what to do
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

/** @returns the ids of the keys that are known */
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
    `the master key ${id} isn't the one that the schema ${schema} knows by that name: ` +
    `give it the bytes that it had, or, if it is a new key, a name that none had before`
  );
}

/** A column of a schema that holds sealed values. */
interface Column {
  table: string;
  column: string;
}

/** Forgets keys that aren't in the ring and that nothing in the schema's `columns` is under, so that their ids are free. */
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

import postgres, { type ParameterOrFragment, type Row, type Sql } from "postgres";

import type { Statements } from "../../database/database.ts";
import { PLAIN_VALUES } from "../../database/plain-values.ts";
import { UNHURRIED } from "../../database/unhurried.ts";
import { NO_ORGANIZATION, rewrap, SealError, sealedBy } from "./envelope.ts";
import type { KeyRing } from "./keyring.ts";
import { checkMasterKeys, forgetMasterKeys } from "./known-keys.ts";

/** A column that holds sealed values. */
export interface SealedColumn {
  /** `schema.table`, as in the place that values are sealed for. */
  table: string;
  column: string;
  /** Primary key columns besides `org_id`. They form the row id of the place that values are sealed for. */
  idColumns: readonly string[];
  /** Set if the rows belong to the installation and have no `org_id`. */
  ofInstallation?: true;
}

/** Results of rewrapping a column. */
export interface Rewrapping {
  table: string;
  column: string;
  /** Values that were already under the current master key and open. */
  current: number;
  rewrapped: number;
  /** Rows that another process changed or removed at the same time. */
  overtaken: number;
  /** Rows that don't open, as `<organization> <row>`: broken, or under a master key that isn't in the ring. */
  failed: string[];
}

/** Progress of a column after a batch. */
export interface Progress {
  table: string;
  column: string;
  done: number;
  /** Row count at the start; rows written later aren't included. */
  all: number;
  /** Rows of this batch that don't open. */
  failed: string[];
}

const BATCH = 200;

/**
 * Rewraps every sealed value under the ring's current master key, without decrypting the secrets themselves. Services
 * may keep writing: a value that changes at the same time is left alone. Afterwards, keys that are neither used nor
 * in the ring are forgotten.
 * @param adminUrl a connection that bypasses row-level security
 * @param onProgress receives the progress of each column that has rows
 * @throws {Error} before any write if a key differs from the one known to a service under its id
 */
export async function rewrapColumns(
  adminUrl: string,
  ring: KeyRing,
  columns: readonly SealedColumn[],
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Rewrapping[]> {
  const connection = { ...PLAIN_VALUES, ...UNHURRIED };
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined, connection });
  try {
    const schemas = Map.groupBy(columns, schemaOf);
    for (const schema of schemas.keys()) await checkMasterKeys(statementsOf(sql), schema, ring);
    const done: Rewrapping[] = [];
    for (const column of columns) done.push(await rewrapColumn(sql, ring, column, onProgress));
    for (const [schema, own] of schemas) await forgetMasterKeys(sql, schema, { ring, columns: own });
    return done;
  } finally {
    await sql.end();
  }
}

function schemaOf({ table }: SealedColumn): string {
  return table.split(".")[0] ?? "";
}

function statementsOf(sql: Sql): Statements {
  const run = async <R extends Row>(
    strings: TemplateStringsArray,
    ...values: readonly ParameterOrFragment<never>[]
  ) => sql<R[]>(strings, ...values);
  return Object.assign(run, { part: sql });
}

async function rewrapColumn(
  sql: Sql,
  ring: KeyRing,
  sealed: SealedColumn,
  onProgress: (progress: Progress) => void,
): Promise<Rewrapping> {
  const { table, column } = sealed;
  const [count] = await sql<{ all: number }[]>`
    select count(*)::float8 as all
      from ${sql(table)}
     where ${sql(column)} is not null
  `;
  let done = 0;
  const outcome: Rewrapping = { table, column, current: 0, rewrapped: 0, overtaken: 0, failed: [] };
  let after: string[] | undefined;
  for (;;) {
    const rows = await nextRows(sql, sealed, after);
    const last = rows.at(-1);
    if (!last) return outcome;
    const before = outcome.failed.length;
    for (const row of rows) await rewrapRow(sql, { ring, sealed, outcome }, row);
    after = last.key;
    done += rows.length;
    onProgress({
      table,
      column,
      done,
      all: Math.max(done, count?.all ?? 0),
      failed: outcome.failed.slice(before),
    });
  }
}

interface SealedRow {
  /** Texts of the primary key: the organization if the table has one, then the other columns. */
  key: string[];
  value: Uint8Array;
}

async function nextRows(sql: Sql, sealed: SealedColumn, after: string[] | undefined): Promise<SealedRow[]> {
  const { table, column } = sealed;
  const keys = keyColumns(sealed);
  const texts = sql.unsafe(keys.map((key) => `"${key}"::text`).join());
  const rows: Row[] = await sql`
    select array[${texts}] as key, ${sql(column)} as value
      from ${sql(table)}
     where ${sql(column)} is not null
       ${after ? sql`and (${sql(keys)}) > (${parameters(sql, after)})` : sql``}
     order by ${sql(keys)}
     limit ${BATCH}
  `;
  return rows.map(({ key, value }) => ({ key, value }));
}

async function rewrapRow(
  sql: Sql,
  { ring, sealed, outcome }: { ring: KeyRing; sealed: SealedColumn; outcome: Rewrapping },
  { key, value }: SealedRow,
): Promise<void> {
  const { table, column, ofInstallation } = sealed;
  const [orgId = "", ...ids] = ofInstallation ? [NO_ORGANIZATION, ...key] : key;
  try {
    const fresh = rewrap(ring, { orgId, table, rowId: ids.join(" ") }, value);
    if (sealedBy(value) === ring.current.id) {
      outcome.current += 1;
      return;
    }
    const { count } = await sql`
      update ${sql(table)}
         set ${sql(column)} = ${fresh}
       where (${sql(keyColumns(sealed))}) = (${parameters(sql, key)})
         and ${sql(column)} = ${value}
    `;
    outcome[count === 1 ? "rewrapped" : "overtaken"] += 1;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    outcome.failed.push(key.join(" "));
  }
}

function keyColumns({ idColumns, ofInstallation }: SealedColumn): string[] {
  return ofInstallation ? [...idColumns] : ["org_id", ...idColumns];
}

/** Returns `$1, $2, …` with the values. The server infers each parameter's type from the column it is compared with. */
function parameters(sql: Sql, values: readonly string[]): ReturnType<Sql>[] {
  return values.map((value, index) => (index === 0 ? sql`${value}` : sql`, ${value}`));
}

import type { Statements } from "./database.ts";

/**
 * Checks that the database accepts writes. A standby would answer, but be useless.
 * @throws {AppError} `unavailable` if it doesn't answer or is read-only
 */
export async function ping(sql: Statements): Promise<void> {
  await sql`
    do $$
    begin
      if current_setting('transaction_read_only')::boolean then
        raise read_only_sql_transaction using message = 'the server takes no writes';
      end if;
    end
    $$
  `;
}

import type { Statements } from "./database.ts";

/**
 * Asks the database for nothing but whether it takes writes: a standby would answer, and be of no use.
 * @throws {AppError} `unavailable` when it doesn't answer, or takes none
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

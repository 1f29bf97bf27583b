import type { Statements } from "@leeway/shared/database/database";

/** Asks the database for nothing. @throws {AppError} `unavailable` when it doesn't answer */
export async function ping(sql: Statements): Promise<void> {
  await sql`select`;
}

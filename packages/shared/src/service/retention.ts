import type { Statements } from "../database/database.ts";
import { repeat, type Repeated } from "../platform/repeat.ts";
import type { Platform } from "./service.ts";

/** Deletes expired rows of some tables. @returns whether a batch was full, so that more rows may be expired */
export type Deletion = (sql: Statements) => Promise<boolean | void>;

const EVERY_MS = 10 * 60 * 1000;

/** Starts the loop that deletes expired rows. A failed deletion doesn't delay the others. */
export function startRetention(
  { database, log }: Pick<Platform, "database" | "log">,
  deletions: readonly Deletion[],
  everyMs = EVERY_MS,
): Repeated {
  async function work(): Promise<void> {
    const failures: unknown[] = [];
    for (const deleteExpired of deletions) {
      const isMore = await deleteExpired(database.system).catch(
        (error: unknown) => void failures.push(error),
      );
      if (isMore === true) loop.wake();
    }
    if (failures.length > 0) throw failures[0];
  }

  const loop = repeat({ name: "retention", everyMs, log, work });
  return loop;
}

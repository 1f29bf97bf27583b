import type { Statements } from "@leeway/shared/database/database";

interface Counted {
  subject: string;
  /** End of the window, in ms since 1970. */
  end: number;
  used: number;
}

/** Rows are stored by the last minute of their window, because rows that began minutes ago are deleted. */
const MINUTE_MS = 60_000;

/** Adds counts to the windows shared by all gateways, in one statement. @returns the totals, by subject */
export async function addToWindows(
  sql: Statements,
  counted: readonly Counted[],
): Promise<Map<string, number>> {
  // Sorted, so that two gateways can't deadlock.
  const rows = counted
    .toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
    .map(({ subject, end, used }) => {
      const lastMinute = new Date(end - MINUTE_MS);
      return { subject, window_start: lastMinute.toISOString(), used };
    });
  const sums = await sql<{ subject: string; used: number }>`
    insert into identity.rate_windows as w (subject, window_start, used)
    select subject, window_start, used
      from jsonb_to_recordset(${sql.part.json(rows)})
        as counted (subject text, window_start timestamptz, used integer)
    on conflict (subject, window_start) do update set used = w.used + excluded.used
    returning subject, used
  `;
  return new Map(sums.map(({ subject, used }) => [subject, used]));
}

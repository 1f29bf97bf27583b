const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** Latest end: later dates aren't valid timestamps. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the instant that `30d` or `2026-12-31` (end of that day, UTC) stands for; undefined if it is neither. */
export function untilInstant(until: string, now: Date): Date | undefined {
  const [, count, unit = ""] = /^(\d+)([hdw])$/.exec(until) ?? [];
  const unitMs = UNITS_MS[unit];
  if (count !== undefined && unitMs !== undefined) return new Date(now.getTime() + Number(count) * unitMs);
  const day = new Date(`${until}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(until)) return undefined;
  return new Date(Math.min(day.getTime() + 86_400_000, LAST_MS));
}

import { invalidParameter } from "@leeway/shared/values/errors";
import { Cron } from "croner";

/** Minimum time between planned runs. */
export const MIN_INTERVAL_MS = 60 * 60 * 1000;

/** Five fields or a nickname. The library would take anything else for a date, or for seconds and years. */
const PATTERN = /^(?:@[a-z]+|\S+(?: \S+){4})$/;
const ZONE = /^[A-Z]/i;
/** Error messages for unreadable fields, in order. */
const FIELDS = [
  "the minute must be 0 to 59",
  "the hour must be 0 to 23",
  "the day of the month must be 1 to 31, or L for the last",
  "the month must be 1 to 12, or JAN to DEC",
  "the day of the week must be 0 to 7, or SUN to SAT",
] as const;

/**
 * Ticks of a cron in a time zone. When clocks go forward, a skipped fixed time comes right after the gap. When they
 * go back, it comes once. Hourly ticks stay hourly.
 */
export interface Ticks {
  /** Returns the first tick after an instant; undefined if there is none. */
  after(instant: Date): Date | undefined;
}

/** @throws {Error} for an invalid cron or time zone */
export function ticksOf(cron: string, timezone: string): Ticks {
  const parsed = new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard" });
  return { after: (instant) => parsed.nextRun(instant) ?? undefined };
}

/** @throws {AppError} `invalid_parameter` naming `field`, for a time zone that isn't in the IANA database */
export function checkTimeZone(field: string, timezone: string): void {
  try {
    if (!ZONE.test(timezone)) throw new RangeError("an offset has no daylight saving time");
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw invalidParameter(field, "must be an IANA time zone such as Europe/Berlin");
  }
}

/**
 * Returns the normalized cron: its fields with one space between.
 * @throws {AppError} `invalid_parameter` for a cron that can't be parsed, never matches, or matches more than once an
 * hour
 */
export function checkedCron(cron: string): string {
  const pattern = cron.trim().replaceAll(/\s+/g, " ");
  const [minutes = ""] = pattern.split(" ");
  const start = new Date(0);
  const ticks = readable(pattern);
  if (!ticks?.after(start)) {
    const problem = ticks ? "no such day exists" : unreadable(pattern);
    throw invalidParameter("cron", `is invalid: ${problem}`);
  }
  // Ticks at one minute of the hour are whole hours apart. With two minutes, some are closer.
  const twice = !minutes.startsWith("@") && hourlyTicks(minutes, start) > 1;
  if (twice) throw invalidParameter("cron", "runs more than once an hour; use a single minute");
  return pattern;
}

function hourlyTicks(minutes: string, start: Date): number {
  const everyHour = ticksOf(`${minutes} * * * *`, "UTC");
  const first = everyHour.after(start);
  const second = first && everyHour.after(first);
  return second && second.getTime() - first.getTime() < MIN_INTERVAL_MS ? 2 : 1;
}

function readable(pattern: string): Ticks | undefined {
  if (!PATTERN.test(pattern)) return undefined;
  try {
    return ticksOf(pattern, "UTC");
  } catch {
    return undefined;
  }
}

/** Returns the reason why a cron can't be parsed. The library's own message counts months and days from 0. */
function unreadable(pattern: string): string {
  if (pattern.startsWith("@")) return "unknown nickname; use one such as @daily";
  const fields = pattern.split(" ");
  if (fields.length !== FIELDS.length) return "use five fields, or a nickname such as @daily";
  const wrong = FIELDS.find(
    (_, at) => !readable(FIELDS.map((__, each) => (each === at ? fields[at] : "*")).join(" ")),
  );
  return wrong ?? "the fields can't be combined";
}

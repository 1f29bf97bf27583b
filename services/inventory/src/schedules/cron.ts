import { invalidParameter } from "@leeway/shared/errors";
import { Cron } from "croner";

/** Runs that are planned are at least so far apart. */
export const LEAST_INTERVAL_MS = 60 * 60 * 1000;

/** Five fields or a nickname: anything else the library would take for a date, or for seconds and years. */
const PATTERN = /^(?:@[a-z]+|\S+(?: \S+){4})$/;
const ZONE = /^[A-Z]/i;
/** What is said of a field that can't be read, in the order of the fields. */
const FIELDS = [
  "its minute can't be read: 0 to 59",
  "its hour can't be read: 0 to 23",
  "its day of the month can't be read: 1 to 31, or L for the last",
  "its month can't be read: 1 to 12, or JAN to DEC",
  "its day of the week can't be read: 0 to 7, or SUN to SAT",
] as const;

/**
 * Ticks of a cron by the clock of a time zone. Where clocks go forward, a fixed time that is left out comes
 * at once after the gap; where they go back, it comes once. Ticks of every hour keep their pace.
 */
export interface Ticks {
  /** The first after an instant; undefined when there is none. */
  after(instant: Date): Date | undefined;
}

/** @throws {Error} for a cron or a time zone that isn't one */
export function ticksOf(cron: string, timezone: string): Ticks {
  const parsed = new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard" });
  return { after: (instant) => parsed.nextRun(instant) ?? undefined };
}

/** @throws {AppError} `invalid_parameter` that names `field`, for a name that the IANA database hasn't got */
export function checkTimeZone(field: string, timezone: string): void {
  try {
    if (!ZONE.test(timezone)) throw new RangeError("an offset has no daylight saving");
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw invalidParameter(field, "must be a time zone of the IANA database, such as Europe/Berlin");
  }
}

/**
 * The cron as it is kept: its fields with one space between.
 * @throws {AppError} `invalid_parameter` for one that can't be read, never comes, or comes more than once an hour
 */
export function checkedCron(cron: string): string {
  const pattern = cron.trim().replaceAll(/\s+/g, " ");
  const [minutes = ""] = pattern.split(" ");
  const start = new Date(0);
  const ticks = readable(pattern);
  if (!ticks?.after(start)) {
    const problem = ticks ? "there is no such day" : unreadable(pattern);
    throw invalidParameter("cron", `isn't a cron that ever comes: ${problem}`);
  }
  // Ticks of one minute of the hour are whole hours apart, those of two never.
  const twice = !minutes.startsWith("@") && hourlyTicks(minutes, start) > 1;
  if (twice) throw invalidParameter("cron", "comes more than once an hour: name one minute");
  return pattern;
}

function hourlyTicks(minutes: string, start: Date): number {
  const everyHour = ticksOf(`${minutes} * * * *`, "UTC");
  const first = everyHour.after(start);
  const second = first && everyHour.after(first);
  return second && second.getTime() - first.getTime() < LEAST_INTERVAL_MS ? 2 : 1;
}

function readable(pattern: string): Ticks | undefined {
  if (!PATTERN.test(pattern)) return undefined;
  try {
    return ticksOf(pattern, "UTC");
  } catch {
    return undefined;
  }
}

/** Why a cron can't be read; the library counts months and days from 0 when it tells. */
function unreadable(pattern: string): string {
  if (pattern.startsWith("@")) return "there is no such nickname";
  const fields = pattern.split(" ");
  if (fields.length !== FIELDS.length) return "five fields are wanted, or a nickname such as @daily";
  const wrong = FIELDS.find(
    (_, at) => !readable(FIELDS.map((__, each) => (each === at ? fields[at] : "*")).join(" ")),
  );
  return wrong ?? "its fields don't go together";
}

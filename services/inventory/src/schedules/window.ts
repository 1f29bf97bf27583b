import type { ScanWindow } from "@leeway/shared/contracts/inventory/schedules";

import { ticksOf } from "./cron.ts";

/** More days in a row than a clock change can skip. */
const MAX_OPENINGS = 10;

/** Checks whether a scan may start at an instant. */
export function isOpen({ start, end, timezone }: ScanWindow, instant: Date): boolean {
  const time = clockTime(instant, timezone);
  return start < end ? start <= time && time < end : start <= time || time < end;
}

/** Returns the next opening of the window. A day on which a clock change skips the window has none. */
export function nextOpening(window: ScanWindow, after: Date): Date {
  const [hour = "", minute = ""] = window.start.split(":");
  const openings = ticksOf(`${minute} ${hour} * * *`, window.timezone);
  let opening = after;
  for (let tried = 0; tried < MAX_OPENINGS; tried += 1) {
    const next = openings.after(opening);
    if (next === undefined) break;
    if (isOpen(window, next)) return next;
    opening = next;
  }
  throw new RangeError(`the window never opens: ${window.start} in ${window.timezone}`);
}

/** Returns the time of day in a time zone, as HH:MM. */
function clockTime(instant: Date, timeZone: string): string {
  const clock = Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return clock.format(instant);
}

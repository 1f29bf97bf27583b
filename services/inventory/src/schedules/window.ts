import type { ScanWindow } from "@leeway/shared/contracts/inventory/schedules";

import { ticksOf } from "./cron.ts";

/** More days than any clock change leaves without the window. */
const MOST_OPENINGS = 10;

/** Whether a scan may begin at an instant. */
export function isOpen({ start, end, timezone }: ScanWindow, instant: Date): boolean {
  const time = clockTime(instant, timezone);
  return start < end ? start <= time && time < end : start <= time || time < end;
}

/** When the window opens next; a day whose clock leaves it out has none. */
export function nextOpening(window: ScanWindow, after: Date): Date {
  const [hour = "", minute = ""] = window.start.split(":");
  const openings = ticksOf(`${minute} ${hour} * * *`, window.timezone);
  let opening = after;
  for (let tried = 0; tried < MOST_OPENINGS; tried += 1) {
    const next = openings.after(opening);
    if (next === undefined) break;
    if (isOpen(window, next)) return next;
    opening = next;
  }
  throw new RangeError(`a window that never opens: ${window.start} in ${window.timezone}`);
}

/** What a clock shows there, as HH:MM. */
function clockTime(instant: Date, timeZone: string): string {
  const clock = Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return clock.format(instant);
}

import type { Logger } from "../telemetry/log.ts";
import type { BusConnection } from "./connection.ts";

/** What is on its way to the bus at once; what doesn't fit is left to the sweep. */
const MOST_UNDER_WAY = 500;

/** Gives to the bus what the database knows of too, so that a sweep finds what doesn't get there; never fails. */
export function createOffers(bus: BusConnection, log: Logger): (give: () => Promise<void>) => void {
  let underWay = 0;
  return (give) => {
    if (underWay >= MOST_UNDER_WAY || !bus.connected) return;
    underWay += 1;
    give()
      .catch((error: unknown) => log.warn({ error }, "the bus didn't take work; it will be swept up"))
      .finally(() => {
        underWay -= 1;
      });
  };
}

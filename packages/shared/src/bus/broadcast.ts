import type { Logger } from "../log.ts";
import type { BusConnection } from "./connection.ts";

/** Tells everybody who listens now; it may be lost. Nothing is told while the bus is away. */
export function broadcast(bus: BusConnection, subject: string, text: string): void {
  if (bus.connected) bus.nats.publish(subject, text);
}

/** Hears what is broadcast at `subject`, by every instance of a service, its own included. */
export function hear(
  bus: BusConnection,
  { subject, log }: { subject: string; log: Logger },
  take: (text: string) => void,
): void {
  bus.nats.subscribe(subject, {
    callback: (problem, message) => {
      if (problem === null) take(message.string());
      else log.error({ error: problem, subject }, "broadcasts aren't heard");
    },
  });
}

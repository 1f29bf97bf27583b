import type { BroadcastContract } from "../contract.ts";
import type { Logger } from "../telemetry/log.ts";
import type { BusConnection } from "./connection.ts";

/** Tells everybody who listens now; it may be lost. Nothing is told while the bus is away. */
export function broadcast(bus: BusConnection, { subject }: BroadcastContract, text: string): void {
  if (bus.connected) bus.nats.publish(subject, text);
}

/** Hears what is broadcast, by every instance of a service, its own included. */
export function hear(
  bus: BusConnection,
  { broadcast: { subject }, log }: { broadcast: BroadcastContract; log: Logger },
  take: (text: string) => void,
): void {
  bus.nats.subscribe(subject, {
    callback: (problem, message) => {
      if (problem === null) take(message.string());
      else log.error({ error: problem, subject }, "broadcasts aren't heard");
    },
  });
}

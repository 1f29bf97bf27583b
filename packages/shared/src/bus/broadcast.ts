import { Events } from "nats";

import type { BroadcastContract } from "../contracts/contract.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { BusConnection } from "./connection.ts";

/** Sends a text to all current listeners. It may be lost, and isn't sent while the bus is down. */
export function broadcast(bus: BusConnection, { subject }: BroadcastContract, text: string): void {
  if (bus.connected) bus.nats.publish(subject, text);
}

/** Calls `note` whenever the bus is back, because broadcasts were missed in the meantime. */
export function onGap({ nats }: BusConnection, note: () => void): void {
  const watch = async (): Promise<void> => {
    for await (const { type } of nats.status()) if (type === Events.Reconnect) note();
  };
  void watch().catch(() => undefined); // the connection has ended
}

/** Receives broadcasts in every instance of a service, including the sender. */
export function onBroadcast(
  bus: BusConnection,
  { broadcast: { subject }, log }: { broadcast: BroadcastContract; log: Logger },
  take: (text: string) => void,
): void {
  bus.nats.subscribe(subject, {
    callback: (problem, message) => {
      if (problem === null) take(message.string());
      else log.error({ error: problem, subject }, "can't receive broadcasts");
    },
  });
}

import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import { load, type Figures } from "../load/http-load.ts";
import type { Receiver } from "./fleet.ts";

/** Sends different signed events over several connections for a while. Each must be answered 202. */
export function steady(receiver: Receiver, connections: number, ms: number): Promise<Figures> {
  const { url } = receiver;
  return load({ url, connections, ms, status: 202, asker: () => () => requestOf(receiver, planEvent()) });
}

/** Builds the HTTP request of a signed event. */
export function requestOf({ url, secret }: Receiver, body: string): string {
  const { pathname, host } = new URL(url);
  return [
    `POST ${pathname} HTTP/1.1`,
    `host: ${host}`,
    `x-planner-signature: ${signed(secret, body)}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

/**
 * Limit on the median answer time beside other load, in ms, from the time without it. The p99 isn't used because the
 * machine is shared with other tests.
 */
export function maxOf(...alone: readonly Figures[]): number {
  return Math.max(...alone.map(({ p50 }) => p50)) * 5 + 50;
}

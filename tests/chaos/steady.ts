import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import { load, type Figures } from "../load/http-load.ts";
import type { Receiver } from "./fleet.ts";

/** Sends signed events, each another, on several connections for a while; each must be answered 202. */
export function steady(receiver: Receiver, connections: number, ms: number): Promise<Figures> {
  const { url } = receiver;
  return load({ url, connections, ms, status: 202, asker: () => () => requestOf(receiver, planEvent()) });
}

/** A signed event as it goes over the wire. */
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
 * What an answer of the good traffic may take beside others, half of them at least; measured without them. The machine
 * is shared: its p99 tells more of other tests.
 */
export function mostOf(...alone: readonly Figures[]): number {
  return Math.max(...alone.map(({ p50 }) => p50)) * 5 + 50;
}

import { NatsError, type JetStreamManager } from "nats";

import type { EventContract } from "../contracts/contract.ts";
import type { BusConnection } from "./connection.ts";

/** Stream of events that couldn't be processed, with a subject for each stream and consumer. */
export const DEAD_LETTERS = "DEAD_LETTERS";

/** Returns the stream of large bodies on their way to `service`, in chunks. */
export const bodiesOf = (service: string): string => `BODIES_${service.toUpperCase()}`;

/** A durable consumer. The instances of its service share the events of one subject under its name. */
export interface Durable<E extends EventContract = EventContract> {
  event: E;
  /** `<service>-<purpose>` */
  durable: string;
  /** Time without a heartbeat after which an event goes to another worker; 30 s by default. */
  ackWaitMs?: number;
  /** Limit of events that are in progress or wait for a retry. Beyond it no more are delivered; 5,000 by default. */
  maxUnfinished?: number;
}

/** A service's streams and consumers. Migrations create them; the service may only use them. */
export interface BusParts {
  service: string;
  /** The events that the service processes. */
  durables: readonly Durable[];
  /** Whether other services send it large bodies. */
  takesBodies?: true;
  /** The services that it sends large bodies to. */
  sendsBodiesTo?: readonly string[];
}

const API_TIMEOUT_MS = 2_000;

/** Returns the API for streams, with a short timeout for each call. */
export function streamManager(bus: BusConnection): Promise<JetStreamManager> {
  return bus.nats.jetstreamManager({ timeout: API_TIMEOUT_MS, checkAPI: false });
}

/** Returns whether a stream doesn't answer: it doesn't exist, or not yet again. */
export function isStreamMissing(error: unknown): boolean {
  return error instanceof NatsError && error.code === "503";
}

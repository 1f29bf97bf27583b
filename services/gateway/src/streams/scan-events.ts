import type { BusConnection } from "@leeway/shared/bus/connection";
import { forward } from "@leeway/shared/bus/request";
import { GetScan } from "@leeway/shared/contracts/inventory/scans";
import { AppError, unavailable } from "@leeway/shared/errors";
import { text } from "@leeway/shared/json";
import type { Logger } from "@leeway/shared/telemetry/log";
import { gauge } from "@leeway/shared/telemetry/metrics";

import { eventStream, serverSentEvent, type EventSource } from "./event-stream.ts";
import { createWatches, type Watch } from "./watches.ts";

/** The id of the last event: who has seen it is told nothing more. */
export const LAST_EVENT_ID = "end";
const EVERY_MS = 1_000;
const MOST_OF_ORG = 50;
const MOST = 500;

const open = gauge("event_streams_open", "Clients that are being told of scans as they go on", []);

interface Followed {
  orgId: string;
  scanId: string;
  /** Whether the client may still be told; asked about once a second. */
  isAllowed(): Promise<boolean>;
  /** Of the client's request. */
  signal: AbortSignal;
}

/** Tells clients of scans as they go on, until they have ended. */
export interface ScanEvents {
  /** @throws {AppError} `not_found`; `rate_limited` when the organization has too many open; `unavailable` */
  follow(followed: Followed): Promise<ReadableStream<Uint8Array>>;
  /** Ends every stream: clients come back, to another gateway. */
  stop(): Promise<void>;
}

export function createScanEvents({ bus, log }: { bus: BusConnection; log: Logger }): ScanEvents {
  const streams = new Set<AbortController>();
  const openOf = new Map<string, number>();
  let isStopping = false;
  const look = async (key: string): Promise<string | null> => {
    const [orgId = "", scanId = ""] = key.split(" ");
    return scanAsText(bus, orgId, scanId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "not_found") return null;
      throw error;
    });
  };
  const watches = createWatches({ everyMs: EVERY_MS, log, look });

  function count(orgId: string, change: 1 | -1): void {
    const own = (openOf.get(orgId) ?? 0) + change;
    if (own === 0) openOf.delete(orgId);
    else openOf.set(orgId, own);
    open.set(streams.size);
  }

  return {
    async follow({ orgId, scanId, isAllowed, signal }) {
      const first = await scanAsText(bus, orgId, scanId);
      if (isStopping || streams.size >= MOST) throw unavailable("no more streams can be opened here");
      const own = openOf.get(orgId) ?? 0;
      // No more than are left free, too: a few organizations don't take them all from the others.
      if (own >= Math.min(MOST_OF_ORG, MOST - streams.size)) {
        const message = `the organization has ${own} streams open`;
        throw new AppError("rate_limited", message, { retryAfterSeconds: 5 });
      }
      const stream = new AbortController();
      streams.add(stream);
      count(orgId, 1);
      const watch = watches.watch(`${orgId} ${scanId}`, first);
      signal.addEventListener("abort", () => stream.abort(), { once: true });
      if (signal.aborted) stream.abort();
      const end = (): void => {
        watch.end();
        streams.delete(stream);
        count(orgId, -1);
      };
      return eventStream({ ...source(watch, first, isAllowed), end }, stream.signal);
    },
    async stop() {
      isStopping = true;
      for (const stream of streams) stream.abort();
      await watches.stop();
    },
  };
}

/** A scan's state whenever it is another, beginning with `first`, and its end. */
function source(watch: Watch, first: string, isAllowed: () => Promise<boolean>): Omit<EventSource, "end"> {
  let told: string | null = null;
  return {
    async next(waitMs) {
      const known = told;
      if (known !== null && hasEnded(known)) return null;
      const state = known === null ? first : await watch.next(known, waitMs);
      if (state === null || !(await isAllowed())) return null;
      if (state === known) return undefined;
      told = state;
      const event = serverSentEvent("scan", state);
      return hasEnded(state) ? event + serverSentEvent("end", state, LAST_EVENT_ID) : event;
    },
  };
}

async function scanAsText(bus: BusConnection, orgId: string, scanId: string): Promise<string> {
  const { body } = await forward(bus, GetScan, { org_id: orgId, scan_id: scanId });
  return Buffer.from(body).toString("utf8");
}

function hasEnded(scan: string): boolean {
  return text(JSON.parse(scan), "finished_at") !== undefined;
}

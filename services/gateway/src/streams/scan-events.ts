import type { BusConnection } from "@leeway/shared/bus/connection";
import { forward } from "@leeway/shared/bus/request";
import { GetScan } from "@leeway/shared/contracts/inventory/scans";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { text } from "@leeway/shared/values/json";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { gauge } from "@leeway/shared/platform/telemetry/metrics";

import type { Positions } from "../freshness/positions.ts";
import { eventStream, serverSentEvent, type EventSource } from "./event-stream.ts";
import { createWatches, type Watch } from "./watches.ts";

/** Id of the last event; a client that reconnects with it gets no more events. */
export const LAST_EVENT_ID = "end";
const EVERY_MS = 1_000;
const MAX_OF_ORG = 50;
const MAX = 500;

const open = gauge("event_streams_open", "Clients that follow scans", []);

interface Followed {
  orgId: string;
  scanId: string;
  /** Returns whether the client may still read the scan; called about once a second. */
  isAllowed(): Promise<boolean>;
  /** Signal of the client's request. */
  signal: AbortSignal;
}

/** Streams scans to clients while they run. */
export interface ScanEvents {
  /**
   * Streams a scan until it ends. @throws {AppError} `not_found`; `rate_limited` if the organization has too many
   * streams open; `unavailable`
   */
  follow(followed: Followed): Promise<ReadableStream<Uint8Array>>;
  /** Ends all streams; clients reconnect to another gateway. */
  stop(): Promise<void>;
}

interface EventsOptions {
  bus: BusConnection;
  log: Logger;
  positions?: Positions | undefined;
}

export function createScanEvents({ bus, log, positions }: EventsOptions): ScanEvents {
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
      if (isStopping || streams.size >= MAX)
        throw unavailable("the gateway has no free streams; retry in a moment");
      const own = openOf.get(orgId) ?? 0;
      // At most as many as are free, so that a few organizations can't take all streams.
      if (own >= Math.min(MAX_OF_ORG, MAX - streams.size)) {
        const message = `the organization already has ${own} open streams; close one first`;
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
      const note = () => positions?.note(orgId);
      return eventStream({ ...source(watch, first, { isAllowed, note }), end }, stream.signal);
    },
    async stop() {
      isStopping = true;
      for (const stream of streams) stream.abort();
      await watches.stop();
    },
  };
}

/** Returns the scan's state on each change, beginning with `first`, and an event for its end. */
function source(
  watch: Watch,
  first: string,
  { isAllowed, note }: Pick<Followed, "isAllowed"> & { note: () => Promise<void> | undefined },
): Omit<EventSource, "end"> {
  let lastSent: string | null = null;
  return {
    async next(waitMs) {
      const known = lastSent;
      if (known !== null && hasEnded(known)) return null;
      const state = known === null ? first : await watch.next(known, waitMs);
      if (state === null || !(await isAllowed())) return null;
      if (state === known) return undefined;
      lastSent = state;
      await note(); // the client reads the lists when the scan has ended
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

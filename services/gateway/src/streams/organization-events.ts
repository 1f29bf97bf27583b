import { onBroadcast, onGap } from "@leeway/shared/bus/broadcast";
import type { BusConnection } from "@leeway/shared/bus/connection";
import {
  changeIn,
  OrganizationChanged,
  type ChangeTopic,
  type OrganizationChange,
} from "@leeway/shared/contracts/gateway/changes";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { gauge } from "@leeway/shared/platform/telemetry/metrics";

import type { Positions } from "../freshness/positions.ts";
import { createBacklog } from "./backlog.ts";
import { eventStream, serverSentEvent, type EventSource } from "./event-stream.ts";

const LIMITS = { caller: 10, organization: 200, all: 2_000 } as const;
/** Interval at which a silent stream checks that its caller still has access. Before each event it does so anyway. */
const CHECK_MS = 10_000;
/** Shortest pause between two events of a stream; changes in between are one event. */
const PAUSE_MS = 1_000;
const RETRY_SECONDS = 30;

const open = gauge("organization_streams_open", "Clients that follow an organization", []);

interface Following {
  orgId: string;
  callerId: string;
  /** Id of the last event that the client received before it lost its connection. */
  lastEventId: string | null;
  isAllowed(): Promise<boolean>;
  signal: AbortSignal;
}

/** Streams to clients what changes in their organization. */
export interface OrganizationEvents {
  /** @throws {AppError} `rate_limited` if the caller or the organization has too many streams open; `unavailable` */
  follow(following: Following): ReadableStream<Uint8Array>;
  /** Ends all streams; clients reconnect to another gateway. */
  stop(): void;
}

/** A client, and what it doesn't know yet. */
interface Follower {
  orgId: string;
  callerId: string;
  topics: Set<ChangeTopic>;
  newChanges: number;
  /** Whether changes were missed, so that the client has to read everything again. */
  isBehind: boolean;
  wake: PromiseWithResolvers<void>;
}

interface EventsOptions {
  bus: BusConnection;
  log: Logger;
  positions?: Positions | undefined;
}

export function createOrganizationEvents({ bus, log, positions }: EventsOptions): OrganizationEvents {
  const followers = new Map<Follower, AbortController>();
  const backlog = createBacklog();
  let isStopping = false;

  onBroadcast(bus, { broadcast: OrganizationChanged, log }, (text) => {
    const change = changeIn(text);
    if (!change) return;
    backlog.add(change);
    for (const follower of followers.keys()) if (follower.orgId === change.orgId) note(follower, change);
  });
  onGap(bus, () => {
    backlog.forget();
    for (const follower of followers.keys()) {
      follower.isBehind = true;
      wake(follower);
    }
  });

  return {
    follow({ orgId, callerId, lastEventId, isAllowed, signal }) {
      admit([...followers.keys()], { orgId, callerId, isStopping });
      const missed = lastEventId === null ? [] : backlog.since(lastEventId);
      const follower = newFollower(orgId, callerId);
      if (missed === undefined) follower.isBehind = true;
      for (const change of missed ?? []) if (change.orgId === orgId) note(follower, change);
      const stream = new AbortController();
      followers.set(follower, stream);
      open.set(followers.size);
      signal.addEventListener("abort", () => stream.abort(), { once: true });
      if (signal.aborted) stream.abort();
      const end = (): void => {
        followers.delete(follower);
        open.set(followers.size);
      };
      return eventStream(
        { ...source(follower, { isAllowed, position: () => backlog.position(), positions }), end },
        stream.signal,
      );
    },
    stop() {
      isStopping = true;
      for (const stream of followers.values()) stream.abort();
    },
  };
}

function newFollower(orgId: string, callerId: string): Follower {
  const nothing = { topics: new Set<ChangeTopic>(), newChanges: 0, isBehind: false };
  return { orgId, callerId, ...nothing, wake: Promise.withResolvers() };
}

function note(follower: Follower, { topic, newChanges = 0 }: OrganizationChange): void {
  follower.topics.add(topic);
  follower.newChanges += newChanges;
  wake(follower);
}

function wake(follower: Follower): void {
  follower.wake.resolve();
  follower.wake = Promise.withResolvers();
}

function admit(
  followers: readonly Follower[],
  { orgId, callerId, isStopping }: { orgId: string; callerId: string; isStopping: boolean },
): void {
  if (isStopping || followers.length >= LIMITS.all)
    throw unavailable("the gateway has no free streams; retry in a moment");
  const own = followers.filter((one) => one.callerId === callerId).length;
  const ofOrganization = followers.filter((one) => one.orgId === orgId).length;
  const who = own >= LIMITS.caller ? "you already have" : "the organization already has";
  if (own >= LIMITS.caller || ofOrganization >= Math.min(LIMITS.organization, LIMITS.all - followers.length))
    throw new AppError("rate_limited", `${who} too many open streams; close one first`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
}

interface Sourced {
  isAllowed(): Promise<boolean>;
  /** Returns the id of the latest event. */
  position(): string;
  positions: Positions | undefined;
}

/** Returns `ready` at once, then what changed, at most once a second, or `reload` if something was missed. */
function source(follower: Follower, { isAllowed, position, positions }: Sourced): Omit<EventSource, "end"> {
  let [sentAt, checkedAt] = [-Infinity, performance.now()];
  let isNew = true;
  return {
    async next(waitMs) {
      const hasNews = (): boolean => isNew || follower.isBehind || follower.topics.size > 0;
      if (!hasNews()) await Promise.race([follower.wake.promise, Bun.sleep(waitMs)]);
      const now = performance.now();
      if (hasNews() && now - sentAt < PAUSE_MS) await Bun.sleep(PAUSE_MS - (now - sentAt));
      if (!hasNews() && now - checkedAt < CHECK_MS) return undefined;
      if (!(await isAllowed())) return null;
      checkedAt = performance.now();
      if (!hasNews()) return undefined;
      sentAt = checkedAt;
      // The client reads again what has changed.
      await positions?.note(follower.orgId);
      const text = newsOf(follower, isNew, position());
      isNew = false;
      return text;
    },
  };
}

/** Returns what a client doesn't know yet as one event. */
function newsOf(follower: Follower, isNew: boolean, id: string): string {
  const { isBehind, topics, newChanges } = follower;
  const data = { topics: [...topics], ...(newChanges > 0 && { new_changes: newChanges }) };
  Object.assign(follower, { topics: new Set(), newChanges: 0, isBehind: false });
  if (isBehind) return serverSentEvent("reload", "{}", id);
  const changed = topics.size > 0 ? serverSentEvent("changed", JSON.stringify(data), id) : "";
  return isNew ? serverSentEvent("ready", "{}", id) + changed : changed;
}

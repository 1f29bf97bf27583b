import { connect, Events, type ConnectionOptions, type NatsConnection } from "nats";

import { unavailable } from "../errors.ts";
import type { Logger } from "../telemetry/log.ts";
import { gauge } from "../telemetry/metrics.ts";
import { explainAbsence } from "./absence.ts";

/** A connection to NATS that comes back by itself, and says at once when it is gone. */
export interface BusConnection {
  nats: NatsConnection;
  readonly connected: boolean;
  /**
   * `work`, unless the connection is or goes away first: what NATS would only time out then fails now.
   * @throws {AppError} `unavailable`
   */
  whileConnected<T>(work: () => Promise<T>): Promise<T>;
}

interface BusOptions {
  /** `nats://[user:password@|token@]host:port`, several separated by commas; `tls://` tells nobody who has no TLS. */
  url: string;
  /** Who connects. Answers come to an inbox of that name, which a server may keep to its user. */
  name: string;
  log: Logger;
}

const away = gauge("bus_away", "1 while the bus can't be reached", []);

const RECONNECT_WAIT_MS = 100;
const PING_INTERVAL_MS = 2_000;

const LINK: ConnectionOptions = {
  maxReconnectAttempts: -1,
  reconnectTimeWait: RECONNECT_WAIT_MS,
  reconnectJitter: RECONNECT_WAIT_MS,
  waitOnFirstConnect: true,
  timeout: 2_000,
  pingInterval: PING_INTERVAL_MS,
  maxPingOut: 2,
  noAsyncTraces: true,
};

/** Connects, waiting for as long as it takes. */
export async function connectBus({ url, name, log }: BusOptions): Promise<BusConnection> {
  const options = { ...addresses(url), name, inboxPrefix: inboxOf(name), ...LINK };
  const explained = explainAbsence(options, log);
  const nats = await connect(options).finally(explained);
  comeBackThoughRefused(nats);
  const presence = presenceOf(options, log);

  async function watch(): Promise<void> {
    for await (const { type, data, permissionContext: refused } of nats.status()) {
      if (type === Events.Disconnect) presence.leave();
      else if (type === Events.Reconnect) presence.comeBack();
      else if (type === Events.Error && presence.isHere())
        log.error({ problem: data, ...refused }, "the bus complained");
    }
  }
  watch().catch((error: unknown) => log.error({ error }, "watching the bus ended"));
  void nats.closed().then(presence.end);

  const isConnected = (): boolean => presence.isHere() && !nats.isClosed();
  return {
    nats,
    get connected() {
      return isConnected();
    },
    async whileConnected(work) {
      if (!isConnected()) throw gone();
      return presence.whileHere(work);
    },
  };
}

/** Whether the bus is there, with what is told of that: once that it is gone, and why, and once that it is back. */
function presenceOf(options: ConnectionOptions, log: Logger) {
  const state = { here: true };
  const waiting = new Set<(error: Error) => void>();
  let explained: (() => void) | undefined;
  away.set(0);

  function end(): void {
    explained?.();
    state.here = false;
    away.set(1);
    for (const reject of waiting) reject(gone());
  }

  return {
    isHere: () => state.here,
    end,
    // Each refused try is another `Disconnect`, and each of those another `Reconnect` in the end.
    leave(): void {
      if (!state.here) return;
      end();
      log.warn("the bus is gone");
      explained = explainAbsence(options, log);
    },
    comeBack(): void {
      if (state.here) return;
      explained?.();
      state.here = true;
      away.set(0);
      log.info("the bus is back");
    },
    async whileHere<T>(work: () => Promise<T>): Promise<T> {
      const { promise: lost, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([work(), lost]);
      } finally {
        waiting.delete(reject);
      }
    },
  };
}

/**
 * Who was let in once tries on, where the client would close for good after two refusals: the server may have been
 * started with the wrong users.
 */
function comeBackThoughRefused(nats: NatsConnection): void {
  const options: unknown = Reflect.get(nats, "options");
  if (typeof options === "object" && options !== null) Reflect.set(options, "ignoreAuthErrorAbort", true);
}

/** What the subjects of all answers to `name` begin with. */
export function inboxOf(name: string): string {
  return `_INBOX.${name.replaceAll(/[^\w-]/g, "-")}`;
}

function gone(): Error {
  return unavailable("the message bus can't be reached");
}

/** `raw`, if it is addresses of NATS. @throws {Error} otherwise, without them */
export function parseBusUrl(raw: string): string {
  busUrls(raw);
  return raw;
}

/** The servers that an address of NATS names. @throws {Error} where one is none */
export function busUrls(url: string): URL[] {
  return url.split(",").map((part) => {
    const server = URL.parse(part.trim());
    if (!server?.host || !/^(nats|tls):$/.test(server.protocol))
      throw new Error("must be nats:// or tls://[user:password@]host:port, several separated by commas");
    return server;
  });
}

function addresses(url: string): ConnectionOptions {
  const urls = busUrls(url);
  const [first] = urls;
  const servers = {
    servers: urls.map(({ host }) => host),
    ...(urls.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
  };
  if (!first || first.username === "") return servers;
  const user = decodeURIComponent(first.username);
  return first.password === ""
    ? { ...servers, token: user }
    : { ...servers, user, pass: decodeURIComponent(first.password) };
}

import { connect, Events, type ConnectionOptions, type NatsConnection } from "nats";

import type { BusKeys } from "../security/encryption/bus-keys.ts";
import { unavailable } from "../values/errors.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { gauge } from "../platform/telemetry/metrics.ts";
import { explainAbsence } from "./absence.ts";

/** A connection to NATS that reconnects, and reports at once when it is lost. */
export interface BusConnection {
  nats: NatsConnection;
  /** The service that connected; undefined for other programs. */
  readonly service: string | undefined;
  /** Its keys for secret fields of requests. */
  readonly keys: BusKeys;
  readonly connected: boolean;
  /**
   * Runs `work`, and fails as soon as the connection is lost. NATS itself would only time out.
   * @throws {AppError} `unavailable`
   */
  whileConnected<T>(work: () => Promise<T>): Promise<T>;
}

interface BusOptions {
  /**
   * `nats://[user:password@|token@]host:port`, several separated by commas. With `tls://`, a server without TLS
   * receives nothing.
   */
  url: string;
  /** Name of the client. Answers come to an inbox with this name, which a server may restrict to its user. */
  name: string;
  /** Keys for secret fields. Without them, requests with such fields fail. */
  keys?: BusKeys;
  log: Logger;
}

const away = gauge("bus_away", "1 while the bus is unreachable", []);

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

/** Connects, and waits as long as that takes. */
export async function connectBus({ url, name, keys = new Map(), log }: BusOptions): Promise<BusConnection> {
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
        log.error({ problem: data, ...refused }, "the bus reported an error");
    }
  }
  watch().catch((error: unknown) => log.error({ error }, "stopped watching the bus connection"));
  void nats.closed().then(presence.end);

  const isConnected = (): boolean => presence.isHere() && !nats.isClosed();
  return {
    nats,
    service: /^leeway-(\w+)$/.exec(name)?.[1],
    keys,
    get connected() {
      return isConnected();
    },
    async whileConnected(work) {
      if (!isConnected()) throw gone();
      return presence.whileHere(work);
    },
  };
}

/** Tracks whether the bus is connected. Logs once that it is lost, and why, and once that it is back. */
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
    // Each refused attempt emits another `Disconnect`, and finally another `Reconnect`.
    leave(): void {
      if (!state.here) return;
      end();
      log.warn("lost the connection to the bus");
      explained = explainAbsence(options, log);
    },
    comeBack(): void {
      if (state.here) return;
      explained?.();
      state.here = true;
      away.set(0);
      log.info("reconnected to the bus");
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
 * Keeps the client retrying after refusals. It would close for good after two of them, but the server may have been
 * started with the wrong users.
 */
function comeBackThoughRefused(nats: NatsConnection): void {
  const options: unknown = Reflect.get(nats, "options");
  if (typeof options === "object" && options !== null) Reflect.set(options, "ignoreAuthErrorAbort", true);
}

/** Returns the prefix of the subjects of all answers to `name`. */
export function inboxOf(name: string): string {
  return `_INBOX.${name.replaceAll(/[^\w-]/g, "-")}`;
}

function gone(): Error {
  return unavailable("can't reach the message bus");
}

/** Returns `raw` if it contains addresses of NATS. @throws {Error} otherwise, without quoting them */
export function parseBusUrl(raw: string): string {
  busUrls(raw);
  return raw;
}

/** Returns the servers in an address of NATS. @throws {Error} if one isn't valid */
export function busUrls(url: string): URL[] {
  return url.split(",").map((part) => {
    const server = URL.parse(part.trim());
    if (!server?.host || !/^(nats|tls):$/.test(server.protocol))
      throw new Error("must be one or more nats:// or tls://[user:password@]host:port, separated by commas");
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

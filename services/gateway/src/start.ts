import { DASHBOARD_DIR } from "@leeway/dashboard/folder";
import { openBodies } from "@leeway/shared/bus/bodies";
import { takeTurns } from "@leeway/shared/bus/in-turn";
import { withContext } from "@leeway/shared/context";
import { createCursors } from "@leeway/shared/cursor";
import { createEgress } from "@leeway/shared/egress/egress";
import { createPlaces } from "@leeway/shared/fairness/places";
import type { Platform, Running } from "@leeway/shared/service";
import { createSlots } from "@leeway/shared/fairness/slots";

import { createApp } from "./app.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { createKeyUse } from "./auth/key-use.ts";
import { createTokenVerifier, type TokenVerifier } from "./auth/oidc.ts";
import { createCookies } from "./auth/session-cookie.ts";
import { createSignIn, type SignIn } from "./auth/sign-in.ts";
import type { Config } from "./config.ts";
import { readStaticFiles } from "./dashboard/files.ts";
import { createBodyBudget } from "./http/body-budget.ts";
import { createRateLimits, type RateLimit } from "./limits/rate-limits.ts";
import { createSenderTurns } from "./limits/sender-turns.ts";
import { forgetDeleted } from "./purge.ts";
import { repeat } from "@leeway/shared/repeat";
import { forgetExpired } from "./store/organizations.ts";
import { createScanEvents } from "./streams/scan-events.ts";

const EXCHANGE_MS = 250;
const KEY_USE_MS = 1_000;
const PURGE_MS = 30_000;
const EXPIRE_MS = 60_000;

const LARGEST_WEBHOOK_BYTES = 5 * 1024 * 1024;
/** Each is in memory three times while it is passed on. */
const WEBHOOK_BODIES = {
  mostBytes: 8 * LARGEST_WEBHOOK_BYTES,
  mostUnread: 128 * 1024 * 1024,
  turns: 2,
  patienceMs: 10_000,
};
/** A body and what is said of it. */
const NEEDED_PAYLOAD = LARGEST_WEBHOOK_BYTES + 4096;

const DRAIN_MS = 7_000;
const LISTENING = {
  development: false,
  reusePort: false,
  /**
   * Seconds. Proxies keep connections for a minute: whoever closes first may do so as the next request comes, and a proxy
   * can't send a change twice.
   */
  idleTimeout: 75,
  /** Above the largest body that any operation takes: it refuses more by itself, with a body that says so. */
  maxRequestBodySize: 512 * 1024 * 1024,
};

/** A gateway that serves. */
export interface Serving extends Running {
  port: number;
}

/**
 * Each of one organization at one gateway, or of whoever asks for none, takes half a megabyte of it for a quarter of an hour at
 * most, or as JSON one for half a minute. All together leave it room, however many organizations somebody has.
 */
const UPLOADS = { each: 64, all: 256, what: "large bodies of yours" };

/**
 * Of one organization at one service; more make lists no faster on two processors, and others' slower (tests/load). Who
 * waits for jobs or has keys tried takes a tenth of a service's places at most, and all who do leave a quarter.
 */
const UNDER_WAY = { alone: 8, beside: 2, slow: { each: 200, all: 1_500 } };

/** Starts everything that a gateway does: its HTTP side and what it does by itself. */
export function startGateway(
  config: Config,
  { database, bus, log }: Platform,
  dashboardDir = DASHBOARD_DIR,
): Serving {
  checkPayload({ bus, log });
  takeTurns(bus, UNDER_WAY);
  const keyUse = createKeyUse(database);
  const limits = createRateLimits(database);
  const scanEvents = createScanEvents({ bus, log });
  const stopping = new AbortController();
  const forget = endingWith(stopping.signal, () => forgetDeleted(database, bus));
  const expire = async (): Promise<void> => {
    if (await forgetExpired(database)) loops.expire.wake();
  };
  const loops = {
    exchange: repeat({ name: "rate-limits", everyMs: EXCHANGE_MS, log, work: () => limits.exchange() }),
    keyUse: repeat({ name: "key-use", everyMs: KEY_USE_MS, log, work: () => keyUse.flush() }),
    purge: repeat({ name: "purge", everyMs: PURGE_MS, log, work: forget }),
    expire: repeat({ name: "expire", everyMs: EXPIRE_MS, log, work: expire }),
  };
  const app = createApp({
    database,
    bus,
    bodies: openBodies(bus, config.NATS_REPLICAS),
    log,
    authenticator: createAuthenticator({ database, tokens: tokenVerifier(config), keyUse }),
    ...browsersOf(config),
    limits,
    ...settingsOf(config),
    ...webhooksIn(),
    uploads: createPlaces(UPLOADS),
    decoding: createSlots(1),
    scanEvents,
    purge: () => loops.purge.wake(),
    stopping: stopping.signal,
    dashboard: readStaticFiles(dashboardDir),
  });
  app.listen({ port: config.PORT, hostname: config.LISTEN_ADDRESS, ...LISTENING });
  return {
    port: app.server?.port ?? config.PORT,
    async drain() {
      stopping.abort();
      await scanEvents.stop();
      await stopListening(app);
      await Promise.all(Object.values(loops).map((loop) => loop.stop()));
      await keyUse.flush().catch((error: unknown) => log.warn({ error }, "uses of keys are lost"));
    },
  };
}

/** Work that may take minutes: who stops leaves it to another, or to the next start. */
function endingWith(signal: AbortSignal, work: () => Promise<void>): () => Promise<void> {
  return () => withContext({ requestId: crypto.randomUUID(), signal }, work);
}

/** Takes nothing new and waits for what is under way, but not for clients that never finish. */
async function stopListening(app: ReturnType<typeof createApp>): Promise<void> {
  const { server } = app;
  await Promise.race([app.stop(), Bun.sleep(DRAIN_MS)]);
  await server?.stop(true);
}

function checkPayload({ bus, log }: Pick<Platform, "bus" | "log">): void {
  const mostPayload = bus.nats.info?.max_payload ?? Infinity;
  if (mostPayload < NEEDED_PAYLOAD) {
    log.warn({ max_payload: mostPayload }, "the bus takes no webhook bodies of 5 MB: set max_payload to 8MB");
  }
}

function limitOf(per: RateLimit["per"], policy: string, most: number): RateLimit {
  return { policy, most, per };
}

function settingsOf(config: Config) {
  return {
    publicBaseUrl: config.PUBLIC_BASE_URL,
    operatorToken: config.OPERATOR_TOKEN,
    trustedProxies: config.TRUSTED_PROXIES,
    keyRing: config.LEEWAY_MASTER_KEYS,
    cursors: createCursors(config.LEEWAY_MASTER_KEYS),
    requestLimit: limitOf("minute", "requests", config.RATE_LIMIT_KEY_PER_MINUTE),
    analyzeLimit: limitOf("minute", "analyze", config.RATE_LIMIT_ANALYZE_PER_MINUTE),
    enrichLimit: limitOf("minute", "enrich", config.RATE_LIMIT_ENRICH_PER_MINUTE),
    trialLimit: limitOf("minute", "trials", config.RATE_LIMIT_TRIAL_PER_MINUTE),
    webhookLimit: limitOf("minute", "webhooks", config.RATE_LIMIT_WEBHOOK_PER_MINUTE),
    foundingLimit: limitOf("day", "organizations", config.RATE_LIMIT_ORGANIZATIONS_PER_DAY),
    loginLimit: limitOf("minute", "failed-logins", config.RATE_LIMIT_LOGIN_PER_MINUTE),
  };
}

/** What is taken in of whom nobody has verified yet. */
function webhooksIn() {
  return { webhookBodies: createBodyBudget(WEBHOOK_BODIES), senders: createSenderTurns() };
}

/** How people sign in to the dashboard, and stay so. */
function browsersOf(config: Config) {
  return { cookies: createCookies(config.PUBLIC_BASE_URL), signIn: dashboardSignIn(config) };
}

function dashboardSignIn(config: Config): SignIn | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config;
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined) return undefined;
  return createSignIn({
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    egress: createEgress({ allow: config.EGRESS_ALLOW }),
    ring: config.LEEWAY_MASTER_KEYS,
  });
}

function tokenVerifier({ OIDC_ISSUER, OIDC_AUDIENCE, EGRESS_ALLOW }: Config): TokenVerifier | undefined {
  if (OIDC_ISSUER === undefined || OIDC_AUDIENCE === undefined) return undefined;
  const egress = createEgress({ allow: EGRESS_ALLOW });
  return createTokenVerifier({ issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, egress });
}

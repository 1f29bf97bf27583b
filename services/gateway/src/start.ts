import { DASHBOARD_DIR } from "@leeway/dashboard/folder";
import { openBodies } from "@leeway/shared/bus/bodies";
import { limitRequests } from "@leeway/shared/bus/request-limits";
import { createActivity, type Activity } from "@leeway/shared/concurrency/activity";
import { createConcurrencyLimits } from "@leeway/shared/concurrency/concurrency-limits";
import { createSemaphore } from "@leeway/shared/concurrency/semaphore";
import { withContext } from "@leeway/shared/platform/context";
import { createCursors } from "@leeway/shared/security/cursor";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { repeat } from "@leeway/shared/platform/repeat";
import { startRetention, type Deletion } from "@leeway/shared/service/retention";
import type { Platform, Started } from "@leeway/shared/service/service";

import { createApp } from "./app.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { createCiVerifier, type CiVerifier } from "./auth/ci-verifier.ts";
import { createKeyUse, type KeyUse } from "./auth/key-use.ts";
import { createTokenVerifier, type TokenVerifier } from "./auth/oidc.ts";
import { createOperatorTries } from "./auth/operator-tries.ts";
import { createCookies } from "./auth/session-cookie.ts";
import { createSignIn, type SignIn } from "./auth/sign-in.ts";
import type { Config } from "./config.ts";
import type { DeviceSignIn } from "./gateway.ts";
import { createPositions, type Positions } from "./freshness/positions.ts";
import { readStaticFiles } from "./dashboard/files.ts";
import { createBodyBudget } from "./http/webhook-body.ts";
import { createRateLimits, type RateLimit, type RateLimits } from "./limits/rate-limits.ts";
import { createSenderQueue } from "./limits/sender-queue.ts";
import { forgetDeleted } from "./organizations/purge.ts";
import { standingOf } from "./readiness.ts";
import { forgetExpired } from "./organizations/store.ts";
import { createOrganizationEvents } from "./streams/organization-events.ts";
import { createScanEvents } from "./streams/scan-events.ts";

const EXCHANGE_MS = 250;
const POSITION_MS = 1_000;
const KEY_USE_MS = 1_000;
const PURGE_MS = 30_000;
const RETENTION_MS = 60_000;
const DELETIONS: readonly Deletion[] = [forgetExpired];

const LARGEST_WEBHOOK_BYTES = 5 * 1024 * 1024;
/** Limits for webhook bodies; each is in memory three times while it is forwarded. */
const WEBHOOK_BODIES = {
  maxBytes: 8 * LARGEST_WEBHOOK_BYTES,
  maxUnread: 128 * 1024 * 1024,
  forwarded: 2,
  patienceMs: 10_000,
};
/** Payload that the bus must accept: a webhook body with its headers. */
const NEEDED_PAYLOAD = LARGEST_WEBHOOK_BYTES + 4096;

const DRAIN_MS = 7_000;
const LISTENING = {
  development: false,
  reusePort: false,
  /**
   * Idle timeout in seconds, longer than the minute that proxies keep connections. If the gateway closed first, it
   * could drop a request that a proxy can't safely repeat.
   */
  idleTimeout: 75,
  /** Limit above that of every operation, because operations reject larger bodies themselves, with a clear error. */
  maxRequestBodySize: 512 * 1024 * 1024,
};

interface StartedGateway extends Started<Platform> {
  port: number;
}

/**
 * Limits for concurrent uploads at one gateway, per organization (or per caller without one) and in total. An upload
 * needs half a megabyte for up to 15 minutes, or one megabyte for up to 30 seconds if it is JSON. While the bus is slow,
 * it needs up to 3 MB. The total leaves memory for other requests, however many organizations a person has.
 */
const UPLOADS = { each: 64, all: 256, what: "large uploads" };

/** Limits for concurrent downloads of whole lists. Each holds one page. */
const DOWNLOADS = { each: 4, all: 64, what: "downloads" };

/**
 * Limits for calls of one organization to one service. More calls don't make lists faster on two processors, and slow
 * down other organizations (tests/load). Slow calls, which wait for jobs or test keys, take a tenth of a service's
 * places, and three quarters in total.
 */
const UNDER_WAY = { alone: 8, beside: 2, slow: { each: 200, all: 1_500 } };

/** Starts the gateway: its HTTP server and its background loops. */
export function startGateway(
  platform: Platform,
  config: Config,
  dashboardDir = DASHBOARD_DIR,
): StartedGateway {
  const { database, bus, log } = platform;
  checkPayload({ bus, log });
  const activity = createActivity();
  limitRequests(bus, UNDER_WAY, activity);
  const [keyUse, limits] = [createKeyUse(database), createRateLimits(database)];
  const positions = config.DATABASE_READ_URL === undefined ? undefined : createPositions({ database, log });
  const scanEvents = createScanEvents({ bus, log, positions });
  const organizationEvents = createOrganizationEvents({ bus, log, positions });
  const stopping = new AbortController();
  const loops = startLoops(platform, { limits, keyUse, positions, stopping: stopping.signal });
  const app = createApp({
    ...platform,
    bodies: { inventory: openBodies(bus, "inventory"), analyzer: openBodies(bus, "analyzer") },
    authenticator: createAuthenticator({ database, tokens: tokenVerifier(config), keyUse }),
    ...signInsOf(config),
    limits,
    ...settingsOf(config),
    ...webhooksIn(activity),
    uploads: createConcurrencyLimits(UPLOADS),
    downloads: createConcurrencyLimits(DOWNLOADS),
    decoding: createSemaphore(1),
    positions,
    scanEvents,
    organizationEvents,
    purge: () => loops.purge.wake(),
    stopping: stopping.signal,
    dashboard: readStaticFiles(dashboardDir),
  });
  app.listen({ port: config.PORT, hostname: config.LISTEN_ADDRESS, ...LISTENING });
  return {
    dependencies: platform,
    port: app.server?.port ?? config.PORT,
    standing: () => standingOf(platform),
    async close() {
      stopping.abort();
      organizationEvents.stop();
      await scanEvents.stop();
      await stopListening(app);
    },
    async drain() {
      await Promise.all(Object.values(loops).map((loop) => loop.stop()));
      await keyUse.flush().catch((error: unknown) => log.warn({ error }, "couldn't store key usage"));
    },
  };
}

interface LoopsOf {
  limits: RateLimits;
  keyUse: KeyUse;
  positions: Positions | undefined;
  stopping: AbortSignal;
}

function startLoops(platform: Platform, { limits, keyUse, positions, stopping }: LoopsOf) {
  const { database, bus, log } = platform;
  const purge = endingWith(stopping, () => forgetDeleted(database, bus));
  return {
    exchange: repeat({ name: "rate-limits", everyMs: EXCHANGE_MS, log, work: () => limits.exchange() }),
    keyUse: repeat({ name: "key-use", everyMs: KEY_USE_MS, log, work: () => keyUse.flush() }),
    purge: repeat({ name: "purge", everyMs: PURGE_MS, log, work: purge }),
    ...(positions && {
      positions: repeat({ name: "positions", everyMs: POSITION_MS, log, work: () => positions.look() }),
    }),
    retention: startRetention(platform, DELETIONS, RETENTION_MS),
  };
}

/** Runs `work` so that it stops with the process: another gateway or the next start continues it. */
function endingWith(signal: AbortSignal, work: () => Promise<void>): () => Promise<void> {
  return () => withContext({ requestId: crypto.randomUUID(), signal }, work);
}

/** Stops accepting requests and waits for those in flight, but not for clients that never finish. */
async function stopListening(app: ReturnType<typeof createApp>): Promise<void> {
  const { server } = app;
  await Promise.race([app.stop(), Bun.sleep(DRAIN_MS)]);
  await server?.stop(true);
}

function checkPayload({ bus, log }: Pick<Platform, "bus" | "log">): void {
  const maxPayload = bus.nats.info?.max_payload ?? Infinity;
  if (maxPayload < NEEDED_PAYLOAD) {
    log.warn({ max_payload: maxPayload }, "the bus rejects webhook bodies of 5 MiB; set max_payload to 8MB");
  }
}

function limitOf(per: RateLimit["per"], policy: string, most: number): RateLimit {
  return { policy, most, per };
}

function settingsOf(config: Config) {
  return {
    publicBaseUrl: config.PUBLIC_BASE_URL,
    operatorToken: config.OPERATOR_TOKEN,
    operatorTries: createOperatorTries(),
    trustedProxies: config.TRUSTED_PROXIES,
    keyRing: config.LEEWAY_MASTER_KEYS,
    cursors: createCursors(config.LEEWAY_MASTER_KEYS),
    requestLimit: limitOf("minute", "requests", config.RATE_LIMIT_KEY_PER_MINUTE),
    organizationLimit: limitOf("minute", "organization", config.RATE_LIMIT_ORGANIZATION_PER_MINUTE),
    freeOrganizations: config.FREE_ORGANIZATIONS_PER_PERSON,
    analyzeLimit: limitOf("minute", "analyze", config.RATE_LIMIT_ANALYZE_PER_MINUTE),
    enrichLimit: limitOf("minute", "enrich", config.RATE_LIMIT_ENRICH_PER_MINUTE),
    trialLimit: limitOf("minute", "trials", config.RATE_LIMIT_TRIAL_PER_MINUTE),
    webhookLimit: limitOf("minute", "webhooks", config.RATE_LIMIT_WEBHOOK_PER_MINUTE),
    foundingLimit: limitOf("day", "organizations", config.RATE_LIMIT_ORGANIZATIONS_PER_DAY),
    loginLimit: limitOf("minute", "failed-logins", config.RATE_LIMIT_LOGIN_PER_MINUTE),
  };
}

/** Creates the limits for webhook calls that aren't verified yet. */
function webhooksIn(activity: Activity) {
  return { webhookBodies: createBodyBudget(WEBHOOK_BODIES), senders: createSenderQueue(activity), activity };
}

/** Creates sign-in and session cookies for people, and token verification for CI jobs. */
function signInsOf(config: Config) {
  return {
    cookies: createCookies(config.PUBLIC_BASE_URL),
    signIn: dashboardSignIn(config),
    deviceSignIn: deviceSignIn(config),
    ciVerifier: ciVerifier(config),
  };
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

function deviceSignIn({
  OIDC_ISSUER: issuer,
  OIDC_CLI_CLIENT_ID: clientId,
  EGRESS_ALLOW,
}: Config): DeviceSignIn | undefined {
  if (issuer === undefined || clientId === undefined) return undefined;
  const egress = createEgress({ allow: EGRESS_ALLOW });
  return { issuer, clientId, tokens: createTokenVerifier({ issuer, audience: clientId, egress }) };
}

function ciVerifier({ CI_ISSUERS: issuers, PUBLIC_BASE_URL: audience, EGRESS_ALLOW }: Config): CiVerifier {
  return createCiVerifier({ issuers, audience, egress: createEgress({ allow: EGRESS_ALLOW }) });
}

function tokenVerifier({ OIDC_ISSUER, OIDC_AUDIENCE, EGRESS_ALLOW }: Config): TokenVerifier | undefined {
  if (OIDC_ISSUER === undefined || OIDC_AUDIENCE === undefined) return undefined;
  const egress = createEgress({ allow: EGRESS_ALLOW });
  return createTokenVerifier({ issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, egress });
}

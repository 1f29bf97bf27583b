import { startAuditOutbox } from "@leeway/shared/service/audit/audit-outbox";
import { RecordAudit } from "@leeway/shared/contracts/gateway/audit";
import { serve } from "@leeway/shared/bus/answer";
import { openBodies } from "@leeway/shared/bus/bodies";
import type { StopConsuming } from "@leeway/shared/bus/consume";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { createCursors } from "@leeway/shared/security/cursor";
import type { Database, Transaction } from "@leeway/shared/database/database";
import type { Schema } from "@leeway/shared/database/migrate";
import { createEgress } from "@leeway/shared/security/egress/egress";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import type { Platform } from "@leeway/shared/service/service";
import {
  serviceBus,
  testBus,
  testBusKeys,
  testDatabase,
  testLog,
  testServers,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { handlers as analyzerHandlers } from "../../services/analyzer/src/handlers.ts";
import { SCHEMA as ANALYZER } from "../../services/analyzer/src/schema.ts";
import { startAnalyzer } from "../../services/analyzer/src/start.ts";
import { readConfig } from "../../services/gateway/src/config.ts";
import { SCHEMA as GATEWAY } from "../../services/gateway/src/schema.ts";
import {
  OPERATOR_TOKEN,
  send,
  startServing,
  type Answered,
  type Ask,
} from "../../services/gateway/test/support/gateway.ts";
import { AUDIENCE, startIdentityProvider } from "../../services/gateway/test/support/identity-provider.ts";
import { createRegistry, type Registry } from "@leeway/connectors/registry";
import { handlers as inventoryHandlers } from "../../services/inventory/src/handlers.ts";
import { createSigningKeys, type SigningKeys } from "../../services/inventory/src/issuer/signing-keys.ts";
import { startPullWorker } from "../../services/inventory/src/scans/pull/pull-worker.ts";
import type { PullDependencies } from "../../services/inventory/src/scans/pull/run-scan.ts";
import { startDriftWorker } from "../../services/inventory/src/drift/worker.ts";
import { SCHEMA as INVENTORY } from "../../services/inventory/src/schema.ts";
import { handlers as quotaHandlers } from "../../services/quota/src/handlers.ts";
import type { OpenConnection } from "../../services/quota/src/model/language-model.ts";
import { SCHEMA as QUOTA } from "../../services/quota/src/schema.ts";
import { startQuota } from "../../services/quota/src/start.ts";
import type { GithubAppSettings } from "../../services/webhooks/src/code-host/github-app.ts";
import { handlers as webhooksHandlers } from "../../services/webhooks/src/handlers.ts";
import { SCHEMA as WEBHOOKS } from "../../services/webhooks/src/schema.ts";
import { startWebhooks } from "../../services/webhooks/src/start.ts";

/** Public address of a stack. */
export const PUBLIC_BASE_URL = "https://leeway.example.com";
/** The only master key of a stack. */
export const MASTER_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

/** Database schema of every service. */
export const SCHEMAS: readonly Schema[] = [GATEWAY, INVENTORY, QUOTA, WEBHOOKS, ANALYZER];

/** The whole product: every service as in production, on a database of its own. */
export interface Stack {
  db: TestDatabase;
  bus: BusConnection;
  url: string;
  ask(method: string, path: string, ask?: Ask): Promise<Answered>;
  /** Creates a person and returns their token. */
  newPerson(email: string): Promise<string>;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** An existing database. */
  db?: TestDatabase;
  /** Wraps the database of a service. */
  door?: (database: Database, service: string) => Database;
  log?: Logger;
  /** Private `host:port` pairs that services may call. */
  egressAllow?: readonly string[];
  /** Model of the platform. */
  platformModel?: OpenConnection | undefined;
  /** Clouds that can be called; none by default. */
  clouds?: Registry | ((keys: SigningKeys) => Registry);
  /** Whether scans run. Otherwise they stay pending. */
  scans?: boolean;
  /** Hosts whose CI jobs can sign in; by default those of the configuration. */
  ciIssuers?: readonly string[];
  /** GitHub App that comments on planners' plans. */
  githubApp?: GithubAppSettings | undefined;
  /** Folder of the built dashboard; without it there is none. */
  dashboardDir?: string;
  /** Address that the stack reports to clients. */
  publicBaseUrl?: string;
}

/** An address that may be called and where nothing listens. */
export const DEAD_END = "127.0.0.1:9";

/** Hosts that people and CI jobs sign in by. */
function callable(host: string, ciIssuers: readonly string[] = []) {
  const hosts = [host, ...ciIssuers.map((issuer) => new URL(issuer).host)];
  return { CI_ISSUERS: ciIssuers.join(","), EGRESS_ALLOW: hosts.join(",") };
}

export async function startStack({
  db: given,
  door = (database) => database,
  log = testLog(),
  egressAllow = [],
  platformModel,
  clouds = createRegistry({ providers: [], egressAllow: [] }),
  scans = false,
  ciIssuers,
  githubApp,
  dashboardDir = "",
  publicBaseUrl = PUBLIC_BASE_URL,
}: StackOptions = {}): Promise<Stack> {
  const db = given ?? (await testDatabase(SCHEMAS));
  const bus = await testBus("stack");
  await testStreams(...BUS_PARTS);
  const provider = await startIdentityProvider();
  const buses: BusConnection[] = [];
  const platformOf = async ({ service }: Schema): Promise<Platform> => {
    const own = await serviceBus(service);
    buses.push(own);
    return { database: door(db.open(service), service), bus: own, log };
  };
  const config = readConfig({
    DATABASE_URL: db.urlOf("gateway"),
    DATABASE_READ_URL: db.urlOf("gateway"), // not a replica: positions are noted, and the primary answers
    NATS_URL: testServers().natsUrl,
    LEEWAY_MASTER_KEYS: MASTER_KEYS,
    LEEWAY_BUS_KEYS: testBusKeys("gateway"),
    PORT: "0",
    HEALTH_PORT: "0",
    PUBLIC_BASE_URL: publicBaseUrl,
    OPERATOR_TOKEN,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    ...callable(provider.host, ciIssuers),
    RATE_LIMIT_KEY_PER_MINUTE: "0",
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: "0",
    RATE_LIMIT_ENRICH_PER_MINUTE: "40",
    RATE_LIMIT_TRIAL_PER_MINUTE: "0",
    RATE_LIMIT_ORGANIZATIONS_PER_DAY: "0",
    RATE_LIMIT_LOGIN_PER_MINUTE: "0",
  });
  const ring = config.LEEWAY_MASTER_KEYS;
  const inventory = await platformOf(INVENTORY);
  const signingKeys = createSigningKeys({ ...inventory, ring });
  const registry = registryOf(clouds, signingKeys);
  const inventoryEndpoints = inventoryHandlers({
    ...inventory,
    ring,
    cursors: createCursors(ring),
    bodies: openBodies(inventory.bus, "inventory"),
    egress: createEgress({ allow: egressAllow }),
    clouds: registry,
    signingKeys,
    installation: { issuer: publicBaseUrl, awsPrincipal: "arn:aws:iam::000000000000:role/leeway" },
  });
  serve(inventory.bus, { service: "inventory", endpoints: inventoryEndpoints, log });
  const quota = startQuota(await platformOf(QUOTA), { ring, egressAllow, platformModel });
  serve(quota.dependencies.bus, { service: "quota", endpoints: quotaHandlers(quota.dependencies), log });
  const auditOutbox = startAuditOutbox(inventory, "inventory", RecordAudit);
  const stopWorkers = await startWorkers({ ...inventory, ring, clouds: registry }, scans);
  const webhooks = await startWebhooks(await platformOf(WEBHOOKS), {
    ring,
    publicBaseUrl,
    egressAllow: [...egressAllow, DEAD_END],
    githubApp,
    dedupeHours: 24,
  });
  serve(webhooks.dependencies.bus, {
    service: "webhooks",
    endpoints: webhooksHandlers(webhooks.dependencies),
    log,
  });
  const analyzer = await startAnalyzer(await platformOf(ANALYZER), {
    ring,
    publicBaseUrl,
    retryMs: [20, 200, 1_000, 1_000],
  });
  serve(analyzer.dependencies.bus, {
    service: "analyzer",
    endpoints: analyzerHandlers(analyzer.dependencies),
    log,
  });
  const gateway = startServing(config, await platformOf(GATEWAY), dashboardDir);
  const url = `http://127.0.0.1:${gateway.port}`;
  return {
    db,
    bus,
    url,
    ask: (method, path, ask = {}) => send(url, method, path, ask),
    newPerson: (email) =>
      provider.token({ sub: crypto.randomUUID(), email, email_verified: true, name: email }),
    async stop() {
      await gateway.drain();
      const drains = [...stopWorkers, auditOutbox.stop, webhooks.drain, analyzer.drain, quota.drain];
      await Promise.all(drains.map((drain) => drain()));
      await Promise.all([bus, ...buses].map(({ nats }) => nats.drain()));
      await provider.stop();
      await db.drop();
    },
  };
}

function registryOf(clouds: NonNullable<StackOptions["clouds"]>, keys: SigningKeys): Registry {
  return typeof clouds === "function" ? clouds(keys) : clouds;
}

function startWorkers(deps: PullDependencies, scans: boolean): Promise<StopConsuming[]> {
  const pulling = scans ? [startPullWorker(deps)] : [];
  return Promise.all([startDriftWorker(deps), ...pulling]);
}

/** Returns `database` with statements that pass the caller's organization but query the rows of `orgId()`. */
export function lyingAbout(database: Database, orgId: () => string | undefined): Database {
  const lie = (): { orgId: string } | undefined => {
    const other = orgId();
    return other === undefined ? undefined : { orgId: other };
  };
  return {
    ...database,
    org: (own) => Object.assign(database.org(own), lie()),
    transaction: (own, work, options) =>
      database.transaction(own, (tx: Transaction) => work(Object.assign(tx, lie())), options),
  };
}

import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Database } from "@leeway/shared/database/database";
import { serveStarted, type Platform } from "@leeway/shared/service/service";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import {
  testBus,
  testBusKeys,
  testDatabase,
  testLog,
  testServers,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../../src/bus-parts.ts";
import { readConfig, type Config } from "../../src/config.ts";
import { handlers } from "../../src/handlers.ts";
import { SCHEMA } from "../../src/schema.ts";
import { startGateway } from "../../src/start.ts";
import { AUDIENCE, startIdentityProvider, type IdentityProvider } from "./identity-provider.ts";
import { answerForOthers, type OtherServices } from "./other-services.ts";

export const OPERATOR_TOKEN = "the-operators-own-token-of-32-characters";
export const MASTER_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

/** Starts a gateway as its process does. */
export function startServing(config: Config, platform: Platform, dashboardDir = "") {
  const started = startGateway(platform, config, dashboardDir);
  const serving = serveStarted({ schema: SCHEMA, handlers }, platform, { ...config, started });
  return { ...serving, port: started.port };
}

/** Hosts of addresses that are separated by commas. */
function hostsOf(addresses = ""): string[] {
  return addresses.split(",").flatMap((address) => URL.parse(address)?.host ?? []);
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** Body parsed as JSON, or undefined. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests look into it freely
}

export interface Ask {
  /** API key or token. */
  as?: string;
  /** Body, sent as JSON unless it is text or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A gateway on its own port. The test controls the other services on the bus. */
export interface TestGateway {
  db: TestDatabase;
  database: Database;
  bus: BusConnection;
  others: OtherServices;
  provider: IdentityProvider;
  config: Config;
  serving: ReturnType<typeof startServing>;
  url: string;
  ask(method: string, path: string, ask?: Ask): Promise<Answered>;
  /** Sends a request to the operator's port. */
  inside(path: string): Promise<Answered>;
  /** Creates an organization and its admin key. */
  newOrg(): Promise<{ id: string; key: string }>;
  /** Creates a person without an organization and returns their token. */
  newPerson(): Promise<{ token: string; email: string }>;
  /** Creates an organization with an owner. */
  newOwnedOrg(): Promise<{ id: string; owner: string; ownerEmail: string }>;
  /** Creates a key with `role` in an organization that `owner` owns. */
  newKey(orgId: string, owner: string, role: string): Promise<{ id: string; key: string }>;
  stop(): Promise<void>;
}

/**
 * Starts a gateway with `env` over the default variables. Rate limits are off by default, and there is no dashboard.
 */
export async function startTestGateway(
  env: Record<string, string> = {},
  log: Logger = testLog(),
  dashboardDir = "",
): Promise<TestGateway> {
  const db = await testDatabase([SCHEMA]);
  await testStreams(
    ...(BUS_PARTS.sendsBodiesTo ?? []).map((service) => ({
      service,
      durables: [],
      takesBodies: true as const,
    })),
  );
  const bus = await testBus("gateway");
  const provider = await startIdentityProvider();
  const config = readConfig({
    DATABASE_URL: db.urlOf("gateway"),
    NATS_URL: testServers().natsUrl,
    LEEWAY_MASTER_KEYS: MASTER_KEYS,
    LEEWAY_BUS_KEYS: testBusKeys("gateway"),
    PORT: "0",
    HEALTH_PORT: "0",
    OPERATOR_TOKEN,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    EGRESS_ALLOW: [provider.host, ...hostsOf(env["CI_ISSUERS"])].join(","),
    RATE_LIMIT_KEY_PER_MINUTE: "0",
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: "0",
    FREE_ORGANIZATIONS_PER_PERSON: "0",
    RATE_LIMIT_ANALYZE_PER_MINUTE: "0",
    RATE_LIMIT_ENRICH_PER_MINUTE: "0",
    RATE_LIMIT_TRIAL_PER_MINUTE: "0",
    RATE_LIMIT_ORGANIZATIONS_PER_DAY: "0",
    RATE_LIMIT_LOGIN_PER_MINUTE: "0",
    ...env,
  });
  const database = db.open("gateway");
  const others = answerForOthers(bus);
  const serving = startServing(config, { database, bus, log }, dashboardDir);
  const url = `http://127.0.0.1:${serving.port}`;
  const ask = (method: string, path: string, options: Ask = {}) => send(url, method, path, options);

  async function newPerson(): Promise<{ token: string; email: string }> {
    const name = crypto.randomUUID();
    const email = `${name}@example.com`;
    return { email, token: await provider.token({ sub: name, email, email_verified: true, name }) };
  }
  return {
    db,
    database,
    bus,
    others,
    provider,
    config,
    serving,
    url,
    ask,
    inside: (path) => send(`http://127.0.0.1:${serving.healthPort}`, "GET", path, {}),
    newPerson,
    async newOrg() {
      const { body } = await ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: "Test" } });
      return { id: body.org.id, key: body.api_key.key };
    },
    async newOwnedOrg() {
      const { token, email } = await newPerson();
      const { body } = await ask("POST", "/api/v2/orgs", { as: token, body: { name: "Test" } });
      return { id: body.id, owner: token, ownerEmail: email };
    },
    async newKey(orgId, owner, role) {
      const made = await ask("POST", `/api/v2/orgs/${orgId}/api-keys`, {
        as: owner,
        body: { name: role, role },
      });
      return { id: made.body.id, key: made.body.key };
    },
    async stop() {
      await serving.drain();
      await bus.nats.close();
      await provider.stop();
      await db.drop();
    },
  };
}

/** Sends a request to the gateway at `url`. */
export async function send(
  url: string,
  method: string,
  path: string,
  { as, body, headers }: Ask,
): Promise<Answered> {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

type Asking = (method: string, path: string, ask?: Ask) => Promise<Answered>;

const MAX_TRIES = 20;
const RETRY_MS = 500;

/** Returns `ask` with retries after 503, as callers do: a busy machine can answer too late. */
export function patient(ask: Asking): Asking {
  return async (...request) => {
    let answered = await ask(...request);
    for (let tries = 1; answered.status === 503 && tries < MAX_TRIES; tries += 1) {
      await Bun.sleep(RETRY_MS);
      answered = await ask(...request);
    }
    return answered;
  };
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

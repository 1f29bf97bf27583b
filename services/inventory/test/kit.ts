import { serve } from "@leeway/shared/bus/answer";
import { openBodies, type Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { StopConsuming } from "@leeway/shared/bus/consume";
import { call } from "@leeway/shared/bus/request";
import type { Input, Output, RequestContract } from "@leeway/shared/contracts/contract";
import { healthOf } from "@leeway/shared/contracts/common";
import { CreateAccount, type CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import { GetPosture, type PostureRow } from "@leeway/shared/contracts/inventory/posture";
import { ListResources, type LiveResource } from "@leeway/shared/contracts/inventory/resources";
import { GetScan, PushListing, type Scan } from "@leeway/shared/contracts/inventory/scans";
import {
  CreateSource,
  DeleteSource,
  ListIacResources,
  PushState,
  type IacResource,
  type IacSource,
} from "@leeway/shared/contracts/inventory/sources";
import { createCursors } from "@leeway/shared/security/cursor";
import type { Database } from "@leeway/shared/database/database";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import {
  serviceBusUrl,
  testBus,
  testBusKeys,
  testDatabase,
  testLog,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { createRegistry } from "@leeway/connectors/registry";
import { handlers } from "../src/handlers.ts";
import { createSigningKeys } from "../src/issuer/signing-keys.ts";
import { SCHEMA } from "../src/schema.ts";
import { startReadingStates } from "../src/sources/backends/start.ts";
import { startPullWorker } from "../src/scans/pull/pull-worker.ts";
import { startDriftWorker } from "../src/drift/worker.ts";
import { startSchedules } from "../src/schedules/start.ts";

const RING_TEXT = `test:${Buffer.alloc(32, 7).toString("base64")}`;
export const RING = parseKeyRing(RING_TEXT);
const ACTOR = { type: "system" as const, id: "test" };

/** An inventory service for one test, with a real database and a real bus. */
export interface TestInventory {
  test: TestDatabase;
  database: Database;
  bus: BusConnection;
  bodies: Bodies;
  call<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>>;
  /** Starts computing drift, if the service was started without it. */
  startWorker(): Promise<void>;
  stop(): Promise<void>;
}

const NO_CLOUDS = createRegistry({ providers: [], egressAllow: [] });

/** Starts an inventory; `worker: false` doesn't compute drift yet. `watched` is given the database to use. */
export async function startInventory({
  worker = true,
  clouds = NO_CLOUDS,
  egressAllow = [] as string[],
  watched = (database: Database) => database,
} = {}): Promise<TestInventory> {
  const test = await testDatabase([SCHEMA]);
  const database = watched(test.open(SCHEMA.service));
  const bus = await testBus("inventory");
  await testStreams(BUS_PARTS);
  const bodies = openBodies(bus, SCHEMA.service);
  const platform = { database, bus, log: testLog() };
  const signingKeys = createSigningKeys({ database, ring: RING });
  const cursors = createCursors(RING);
  const installation = { issuer: "https://leeway.example.com", awsPrincipal: undefined };
  const egress = createEgress({ allow: egressAllow });
  const deps = { ...platform, ring: RING, cursors, bodies, egress, clouds, signingKeys, installation };
  const endpoints = handlers(deps);
  serve(bus, { service: SCHEMA.service, endpoints, log: platform.log });
  const stops: StopConsuming[] = [];
  const startWorker = (): void => {
    stops.push(startDriftWorker(platform));
    stops.push(startPullWorker(deps));
    stops.push(startSchedules(platform).drain);
    stops.push(startReadingStates(deps).drain);
  };
  if (worker) startWorker();
  return {
    test,
    database,
    bus,
    bodies,
    call: (contract, input) => call(bus, contract, input),
    startWorker: async () => startWorker(),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await bus.nats.drain();
      await test.drop();
    },
  };
}

/** Starts the same service in a process of its own, as in production. */
export async function connectInventory(
  env: Record<string, string> = {},
): Promise<TestInventory & { peakMegabytes(): Promise<number>; kill(): Promise<void> }> {
  const test = await testDatabase([SCHEMA]);
  await testStreams(BUS_PARTS);
  const service = Bun.spawn(["bun", `${import.meta.dir}/../src/main.ts`], {
    env: {
      ...process.env,
      DATABASE_URL: test.urlOf(SCHEMA.service),
      NATS_URL: serviceBusUrl(SCHEMA.service),
      LEEWAY_MASTER_KEYS: RING_TEXT,
      LEEWAY_BUS_KEYS: testBusKeys(SCHEMA.service),
      HEALTH_PORT: "0",
      LOG_LEVEL: "warn",
      ...env,
    },
    stdout: "inherit",
    stderr: "inherit",
  });
  const bus = await testBus("client");
  const ready = healthOf(SCHEMA.service);
  while (!(await call(bus, ready, {}).catch(() => ({ ready: false }))).ready) await Bun.sleep(20);
  return {
    test,
    database: test.open(SCHEMA.service),
    bus,
    bodies: openBodies(bus, SCHEMA.service),
    call: (contract, input) => call(bus, contract, input),
    startWorker: () => Promise.resolve(),
    async stop() {
      service.kill();
      await service.exited;
      await bus.nats.drain();
      await test.drop();
    },
    async kill() {
      service.kill("SIGKILL");
      await service.exited;
    },
    async peakMegabytes() {
      const status = await Bun.file(`/proc/${service.pid}/status`).text();
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
  };
}

/** Body of a request; an object is sent as JSON. */
type Content = string | Uint8Array<ArrayBuffer> | object;

/** Permissions that a push doesn't have by default. */
type Allowed = Partial<Pick<Input<typeof PushListing>, "allow_empty" | "allow_foreign">>;

/** Creates an organization, and helpers for the requests of its people. */
export function newOrg(inventory: TestInventory) {
  const org_id = crypto.randomUUID();
  const { call, bodies } = inventory;
  const store = async (content: Content) => {
    const isReady = typeof content === "string" || content instanceof Uint8Array;
    const body = new Response(isReady ? content : JSON.stringify(content)).body;
    if (!body) throw new Error("no body");
    return { ref: (await bodies.put(body, 256 << 20)).ref };
  };
  const org = {
    id: org_id,
    account: (provider: string, external_id: string): Promise<CloudAccount> =>
      call(CreateAccount, { org_id, provider, external_id }),
    source: (name: string, cloud_account_id?: string): Promise<IacSource> =>
      call(CreateSource, { org_id, name, ...(cloud_account_id && { cloud_account_id }) }),
    async pushState(source: { id: string }, state: Content): Promise<IacSource> {
      const body = await store(state);
      return call(PushState, { org_id, source_id: source.id, body });
    },
    async removeSource({ id }: { id: string }): Promise<void> {
      await call(DeleteSource, { org_id, source_id: id });
    },
    async startPush(account: { id: string }, listing: Content, allow: Allowed = {}): Promise<Scan> {
      const body = await store(listing);
      const asked = { org_id, account_id: account.id, requested_by: ACTOR, body };
      return call(PushListing, { ...asked, allow_empty: false, ...allow });
    },
    scan: (scan_id: string): Promise<Scan> => call(GetScan, { org_id, scan_id }),
    /** Pushes a listing and waits until its scan ends. */
    async pushListing(account: { id: string }, listing: Content, allow: Allowed = {}): Promise<Scan> {
      const { id } = await org.startPush(account, listing, allow);
      for (;;) {
        const scan = await call(GetScan, { org_id, scan_id: id });
        if (scan.finished_at !== undefined) return scan;
        await Bun.sleep(10);
      }
    },
    async resources(filter: Partial<Input<typeof ListResources>> = {}): Promise<LiveResource[]> {
      return (await call(ListResources, { org_id, limit: 500, ...filter })).data;
    },
    async declared(filter: Partial<Input<typeof ListIacResources>> = {}): Promise<IacResource[]> {
      return (await call(ListIacResources, { org_id, limit: 500, ...filter })).data;
    },
    async posture(): Promise<PostureRow[]> {
      return (await call(GetPosture, { org_id })).data;
    },
  };
  return org;
}

/** Builds rows in Leeway's own format. */
export function ndjson(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Builds a Terraform state of version 4 with one instance per resource. */
export function tfstate(
  resources: readonly {
    type: string;
    name: string;
    attributes: Record<string, unknown>;
    provider?: string;
    module?: string;
    /** Value of `sensitive_attributes`. */
    sensitive?: readonly unknown[];
  }[],
  { serial = 1, lineage = "11111111-2222-3333-4444-555555555555" } = {},
): object {
  return {
    version: 4,
    terraform_version: "1.9.0",
    serial,
    lineage,
    outputs: {},
    resources: resources.map(({ type, name, attributes, provider = "aws", module, sensitive = [] }) => ({
      ...(module && { module }),
      mode: "managed",
      type,
      name,
      provider: `provider["registry.terraform.io/hashicorp/${provider}"]`,
      instances: [{ schema_version: 0, attributes, sensitive_attributes: sensitive }],
    })),
  };
}

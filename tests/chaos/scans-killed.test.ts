import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { openBodies } from "@leeway/shared/bus/bodies";
import type { Input, Output, RequestContract } from "@leeway/shared/contracts/contract";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { CreateSource, PushState } from "@leeway/shared/contracts/inventory/sources";
import { AppError } from "@leeway/shared/values/errors";
import { text } from "@leeway/shared/values/json";
import { allTestBusKeys, testLog } from "@leeway/shared/testing/testing";

import type { Call } from "@leeway/connectors/aws/aws.fixture";
import { arn, scansOf, serveWorlds } from "../../services/inventory/test/aws-cloud.ts";
import { tfstate } from "../../services/inventory/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { until } from "./until.ts";

const ROUNDS = Number(process.env["LEEWAY_CHAOS_ROUNDS"] ?? 2);
const QUEUES = 400;

const orgId = crypto.randomUUID();
const worlds = serveWorlds();
const world = worlds.newWorld();
world.rowsAPage = 40;
let fleet: Fleet;
let bus: BusConnection;
let scans: ReturnType<typeof scansOf>;
let accountId: string;

beforeAll(async () => {
  fleet = await startFleet({
    services: ["inventory"],
    env: { AWS_ENDPOINT_URL: worlds.endpoint, EGRESS_ALLOW: new URL(worlds.endpoint).host },
  });
  bus = await connectBus({ url: fleet.nats.url, name: "chaos", keys: allTestBusKeys(), log: testLog() });
  scans = scansOf(ask, orgId);
  accountId = (await scans.account(world)).id;
}, TEST_MS);

afterAll(async () => {
  await bus.nats.close();
  await fleet.stop();
  await worlds.stop();
}, TEST_MS);

/** Retries until there is an answer. */
async function ask<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>> {
  for (;;) {
    try {
      return await call(bus, contract, input);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
      await Bun.sleep(20);
    }
  }
}

/** Renames every queue of the fake cloud. */
function renameAll(generation: number): void {
  const names = Array.from({ length: QUEUES }, (_, index) => `g${generation}-${index}`);
  world.queues.set("eu-west-1", names.slice(0, QUEUES / 2));
  world.queues.set("us-east-1", names.slice(QUEUES / 2));
}

/** Counts the resources of each generation. */
async function generations(): Promise<Record<string, number>> {
  const rows = await fleet.admin<{ generation: string; count: number }[]>`
    select substring(provider_resource_id from ':(g\\d+)-') as generation, count(*)::integer as count
      from inventory.live_resources
     where org_id = ${orgId}
     group by 1
  `;
  return Object.fromEntries(rows.map(({ generation, count }) => [generation, count]));
}

const isFirstPageOf = (region: string) => (asked: Call) =>
  asked.action === "resource-explorer-2:ListResources" &&
  JSON.stringify(asked.input).includes(`region:${region}`) &&
  text(asked.input, "NextToken") === undefined;

test(
  "a scan whose worker is killed continues with the resources not yet listed",
  async () => {
    renameAll(0);
    const gate = Promise.withResolvers<undefined>();
    world.interfere = (asked) => (isFirstPageOf("us-east-1")(asked) ? gate.promise : undefined);
    const { id } = await scans.start({ account_id: accountId });
    const listed = () => fleet.admin`
      select from inventory.scan_shards where scan_id = ${id} and status = 'listed'
    `;
    await until(async () => (await listed()).length === 4, WAIT_MS);
    fleet.kill("inventory");
    const killed = performance.now();
    gate.resolve(undefined);
    const scan = await scans.until(id, ({ finished_at }) => finished_at !== undefined);
    expect(scan).toMatchObject({ status: "succeeded", stats: { seen: QUEUES, created: QUEUES } });
    expect(world.calls.filter(isFirstPageOf("eu-west-1"))).toHaveLength(1);
    expect(world.calls.filter(isFirstPageOf("us-east-1")).length).toBeGreaterThan(1);
    expect(await generations()).toEqual({ g0: QUEUES });
    figure(
      `a scan was done ${((performance.now() - killed) / 1000).toFixed(1)} s after its worker was killed`,
    );
  },
  TEST_MS,
);

test(
  "wherever a scan is killed, the inventory is from one scan",
  async () => {
    world.interfere = async () => {
      await Bun.sleep(10);
      return undefined;
    };
    const moments: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      renameAll(round);
      const { id } = await scans.start({ account_id: accountId });
      await Bun.sleep(Math.random() * 1_000);
      const [row] = await fleet.admin<
        { phase: string }[]
      >`select phase from inventory.scans where id = ${id}`;
      moments.push(row?.phase ?? "");
      fleet.kill("inventory");
      expect([{ [`g${round - 1}`]: QUEUES }, { [`g${round}`]: QUEUES }]).toContainEqual(await generations());
      const scan = await scans.until(id, ({ finished_at }) => finished_at !== undefined);
      expect(scan.status).toBe("succeeded");
      expect(await generations()).toEqual({ [`g${round}`]: QUEUES });
    }
    figure(`scans were killed in ${moments.join(", ")}`);
  },
  TEST_MS,
);

/** Declares a queue and delays the answers about it until `isOpen` resolves. */
async function declareQueue(name: string, isOpen: Promise<void>): Promise<{ asked: () => number }> {
  const attributes = { id: arn("eu-west-1", name), arn: arn("eu-west-1", name), delay_seconds: 0 };
  const state = JSON.stringify(tfstate([{ type: "aws_sqs_queue", name, attributes }]));
  const { ref } = await openBodies(bus, "inventory").put(new Blob([state]).stream(), 1 << 20);
  const source = await ask(CreateSource, { org_id: orgId, name, cloud_account_id: accountId });
  await ask(PushState, { org_id: orgId, source_id: source.id, body: { ref } });
  world.queues.set("eu-west-1", [name]);
  let asked = 0;
  const Properties = JSON.stringify({ QueueName: name, DelaySeconds: 9 });
  world.interfere = async ({ action }) => {
    if (action !== "cloudformation:GetResource") return undefined;
    asked += 1;
    await isOpen;
    return { body: { ResourceDescription: { Identifier: name, Properties } } };
  };
  return { asked: () => asked };
}

test.each([
  ["killed", (one: Fleet) => Promise.resolve(one.kill("inventory"))],
  ["stopped", (one: Fleet) => one.restart("inventory")],
] as const)(
  "a scan whose worker is %s while reading a state fails, and the next one reads it",
  async (how, end) => {
    const gate = Promise.withResolvers<void>();
    const { asked } = await declareQueue(how.replaceAll(" ", "-"), gate.promise);
    const { id } = await scans.start({ account_id: accountId });
    await until(() => Promise.resolve(asked() > 0), WAIT_MS);
    await end(fleet);
    const ended = performance.now();
    const scan = await scans.until(id, ({ finished_at }) => finished_at !== undefined);
    expect(scan).toMatchObject({ status: "succeeded", stats: { matched: 1 } });
    figure(
      `a scan that read ended ${((performance.now() - ended) / 1000).toFixed(1)} s after its worker was ${how}`,
    );
    gate.resolve();
    await scans.run({ account_id: accountId });
    const { data } = await ask(ListDriftChanges, { org_id: orgId, limit: 100, kind: "changed" });
    expect(data).toMatchObject([{ attribute_changes: [{ path: ["delay_seconds"], before: 0, after: 9 }] }]);
  },
  TEST_MS,
);

import { afterAll, beforeAll, expect, test } from "bun:test";

import { ListDriftChanges, type DriftActor } from "@leeway/shared/contracts/inventory/drift";
import { text, type Json, type JsonObject } from "@leeway/shared/values/json";
import { testLog } from "@leeway/shared/testing/testing";

import { ACCOUNT, type Answer, type Call } from "@leeway/connectors/aws/aws.fixture";
import { doerOf, seekActors } from "../src/drift/actors/seek-actors.ts";
import { arn, denied, scansOf, serveWorlds } from "./aws-cloud.ts";
import { newOrg, RING, startInventory, tfstate, type TestInventory } from "./kit.ts";

const LOOKUP = "cloudtrail:LookupEvents";
const REGION = "eu-west-1";
const never = new AbortController().signal;

const worlds = serveWorlds();
let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ clouds: worlds.clouds });
});
afterAll(async () => {
  await inventory.stop();
  await worlds.stop();
});

/**
 * Runs the search that the service repeats every few seconds. Lookups without a result are due again at once, except
 * after the last pause.
 */
function seek(pausesSeconds: readonly number[] = [0, 0], stopping = never): Promise<void> {
  const { database, bus } = inventory;
  return seekActors(
    { database, bus, log: testLog(), ring: RING, clouds: worlds.clouds },
    stopping,
    pausesSeconds,
  );
}

/** Returns the resource name in a CloudTrail lookup. */
function nameIn({ input }: Call): string {
  const [attribute] = JSON.parse(JSON.stringify(input["LookupAttributes"] ?? []));
  return text(attribute, "AttributeValue") ?? "";
}

const queue = (name: string) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { id: arn(REGION, name), arn: arn(REGION, name) },
});

/**
 * Creates an account with a declared queue `a` and an undeclared `b`, and scans it once. Returns helpers, and the
 * events that CloudTrail knows.
 */
async function scanned() {
  const world = worlds.newWorld();
  const org = newOrg(inventory);
  const scans = scansOf(inventory.call, org.id);
  const account = await scans.account(world);
  const source = await org.source("queues", account.id);
  await org.pushState(source, tfstate([queue("a")]));
  const trail = new Map<string, JsonObject[]>();
  world.interfere = (call): Answer | undefined =>
    call.action === LOOKUP ? { body: { Events: trail.get(nameIn(call)) ?? [] } } : undefined;
  const live = (...names: string[]) => void world.queues.set(REGION, names);
  const scan = () => scans.run({ account_id: account.id });
  live("a", "b");
  await scan();
  return {
    world,
    trail,
    live,
    /** Declares these queues instead of only `a`. */
    declare: (...names: string[]) => org.pushState(source, tfstate(names.map(queue), { serial: 2 })),
    scan,
    asked: () => world.calls.filter(({ action }) => action === LOOKUP).map(nameIn),
    /** Returns the actor of each change, by queue name. */
    async actors(): Promise<Record<string, DriftActor | undefined>> {
      const page = await inventory.call(ListDriftChanges, { org_id: org.id, limit: 500 });
      return Object.fromEntries(
        page.data.map(({ address, provider_resource_id: id = "", actor }) => [
          address ?? id.split(":").at(-1),
          actor,
        ]),
      );
    },
  };
}

function happened(EventName: string, who: string, secondsAgo = 60): JsonObject {
  const identity: Json = { userIdentity: { arn: `arn:aws:iam::${ACCOUNT}:user/${who}` } };
  const EventTime = Math.floor(Date.now() / 1_000) - secondsAgo;
  return { EventName, EventTime, ReadOnly: "false", CloudTrailEvent: JSON.stringify(identity) };
}

const by = (who: string, event: string): DriftActor => ({
  principal: `arn:aws:iam::${ACCOUNT}:user/${who}`,
  event,
  source: "aws_cloudtrail",
  at: expect.any(String),
});

test("the actor of a change since the previous scan is named, but not for the first scan", async () => {
  const { trail, live, scan, asked, actors } = await scanned();
  await seek();
  expect(asked()).toEqual([]);
  trail.set("c", [happened("SetQueueAttributes", "bert", 10), happened("CreateQueue", "anna")]);
  trail.set(arn(REGION, "a"), [happened("DeleteQueue", "carla")]);
  live("b", "c");
  await scan();
  await seek();
  expect(await actors()).toEqual({
    b: undefined,
    c: by("anna", "CreateQueue"),
    "aws_sqs_queue.a": by("carla", "DeleteQueue"),
  });
  expect(asked()).not.toContain("b");
});

test("a late event is found by a later try, and no lookup happens after the last", async () => {
  const { trail, live, scan, asked, actors } = await scanned();
  live("a", "b", "c", "d");
  await scan();
  await seek();
  trail.set("c", [happened("CreateQueue", "anna")]);
  await seek();
  const { c, d } = await actors();
  expect([c, d]).toEqual([by("anna", "CreateQueue"), undefined]);
  await seek();
  const tries = asked().length;
  trail.set("d", [happened("CreateQueue", "anna")]);
  await seek();
  expect(asked().length).toBe(tries);
  expect(asked().filter((name) => name === "d")).toHaveLength(3);
});

test("lookups that hit the time limit or a service stop don't count as tries", async () => {
  const { world, live, scan, asked } = await scanned();
  const names = Array.from({ length: 9 }, (_, index) => `c${index}`);
  live("a", "b", ...names);
  await scan();
  const { interfere } = world;
  const stopping = new AbortController();
  world.interfere = (call) => {
    if (call.action === LOOKUP) stopping.abort();
    return interfere(call);
  };
  await seek([0, 0], stopping.signal);
  const [first = ""] = asked();
  world.interfere = interfere;
  for (let round = 0; round < 4; round += 1) await seek();
  const tries = (name: string) => asked().filter((one) => one === name).length;
  const others = names.filter((name) => name !== first);
  expect(others.map(tries)).toEqual(others.map(() => 3));
});

test("a denied log is queried once and doesn't delay other accounts", async () => {
  const [closed, open] = [await scanned(), await scanned()];
  const { interfere } = closed.world;
  closed.world.interfere = (call) => (call.action === LOOKUP ? denied(LOOKUP) : interfere(call));
  for (const one of [closed, open]) {
    one.trail.set("c", [happened("CreateQueue", "anna")]);
    one.live("a", "b", "c");
    await one.scan();
  }
  await seek();
  expect((await open.actors())["c"]).toEqual(by("anna", "CreateQueue"));
  const lookups = (): number => closed.world.calls.filter(({ action }) => action === LOOKUP).length;
  const once = lookups();
  await seek();
  expect(lookups()).toBe(once);
  expect(await closed.actors()).toEqual({ b: undefined, c: undefined });
});

test("a resource that disappears and returns gets its new actor", async () => {
  const { trail, live, scan, actors } = await scanned();
  trail.set("c", [happened("CreateQueue", "anna")]);
  for (const names of [["c"], [], ["c"]]) {
    live("a", "b", ...names);
    await scan();
    if (names.length > 0) await seek();
    if (names.length === 0) trail.set("c", [happened("CreateQueue", "bert", 0)]);
  }
  expect((await actors())["c"]).toEqual(by("bert", "CreateQueue"));
});

test("drift caused by a new state needs no lookup and doesn't hide the time of later changes", async () => {
  const { world, trail, live, declare, scan, asked, actors } = await scanned();
  const before = Date.now() / 1_000;
  await declare("b");
  await seek();
  expect(await actors()).toHaveProperty("a", undefined);
  expect(asked()).toEqual([]);
  await inventory.test.admin`update inventory.drift_snapshots set created_at = now() + interval '1 hour'`;
  trail.set("c", [happened("CreateQueue", "anna")]);
  live("a", "b", "c");
  await scan();
  await seek();
  expect(await actors()).toMatchObject({ c: by("anna", "CreateQueue") });
  const asking = world.calls.find(({ action }) => action === LOOKUP);
  expect(Number(asking?.input["StartTime"])).toBeLessThan(before);
});

test("a resource whose lookup fails doesn't block the next", async () => {
  const { world, trail, live, scan, actors } = await scanned();
  const { interfere } = world;
  const queues = ["c", "d", "e", "f"];
  world.interfere = (call) =>
    call.action === LOOKUP && ["c", "d"].includes(nameIn(call))
      ? { status: 400, code: "InvalidLookupAttributesException" }
      : interfere(call);
  for (const name of queues) trail.set(name, [happened("CreateQueue", "anna")]);
  live("a", "b", ...queues);
  await scan();
  await seek();
  const anna = by("anna", "CreateQueue");
  expect(await actors()).toEqual({ b: undefined, c: undefined, d: undefined, e: anna, f: anna });
});

test("several processes query the log once", async () => {
  const { live, scan, asked } = await scanned();
  live("a", "b", "c");
  await scan();
  await Promise.all([seek([60]), seek([60]), seek([60])]);
  expect(asked().filter((name) => name === "c")).toHaveLength(1);
});

test("the actor is the first one for undeclared resources, and the last one otherwise", () => {
  const events = [3, 1, 2].map((second) => ({
    principal: "anna",
    event: `E${second}`,
    at: new Date(second * 1_000),
  }));
  expect(doerOf("undeclared", events)?.event).toBe("E1");
  expect(doerOf("changed", events)?.event).toBe("E3");
  expect(doerOf("missing", [])).toBeUndefined();
});

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  spyOn,
  test,
  type Mock,
} from "bun:test";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";

import { driftReaders } from "../src/readers.ts";
import { ACCOUNT } from "./drifting.ts";
import { newOrg, ndjson, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

let asked: Mock<typeof driftReaders.do>;
beforeEach(() => {
  asked = spyOn(driftReaders, "do");
});
afterEach(() => asked.mockRestore());

const NAMES = ["a", "b", "c"];
const arnOf = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;

type Delays = Record<string, number>;
const NONE: Delays = { a: 0, b: 0, c: 0 };

const stateOf = (delays: Delays, serial: number) =>
  tfstate(
    NAMES.map((name) => {
      const arn = arnOf(name);
      const attributes = { arn, id: arn, name, url: arn, delay_seconds: delays[name] };
      return { type: "aws_sqs_queue", name, attributes };
    }),
    { serial },
  );

const listingOf = (delays: Delays) =>
  ndjson(
    NAMES.map((name) => ({
      provider_resource_id: arnOf(name),
      provider_type: "AWS::SQS::Queue",
      properties: { QueueName: name, DelaySeconds: delays[name] },
    })),
  );

/** Returns the names of the queues compared since the last call. */
function compared(): string[] {
  const names = asked.mock.calls.flatMap(([, task, args]) => {
    if (task !== "comparePairs") return [];
    return [...JSON.stringify(args).matchAll(/"providerResourceId":"[^"]*:(\w)"/g)].map(([, name]) => name);
  });
  asked.mockClear();
  return names.map(String).toSorted((a, b) => a.localeCompare(b));
}

/** Creates an account with three queues that are as declared. */
async function queues() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const source = await org.source("main", account.id);
  await org.pushState(source, stateOf(NONE, 1));
  await org.pushListing(account, listingOf(NONE));
  compared();
  return {
    pushState: (delays: Delays) => org.pushState(source, stateOf(delays, 2)),
    pushListing: (delays: Delays) => org.pushListing(account, listingOf(delays)),
    changes: async () => {
      const { data } = await inventory.call(ListDriftChanges, { org_id: org.id, kind: "changed", limit: 10 });
      return data.map(({ address }) => address);
    },
  };
}

test("a pair is compared again only once either side changed", async () => {
  const { pushListing, pushState, changes } = await queues();
  await pushListing(NONE);
  expect(compared()).toEqual([]);
  await pushListing({ ...NONE, b: 5 });
  expect(compared()).toEqual(["b"]);
  expect(await changes()).toEqual(["aws_sqs_queue.b"]);
  await pushState({ ...NONE, c: 7 });
  expect(compared()).toEqual(["b", "c"]);
  expect((await changes()).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    "aws_sqs_queue.b",
    "aws_sqs_queue.c",
  ]);
});

test("a difference stays while neither side changes, and ends once the sides are equal again", async () => {
  const { pushListing, changes } = await queues();
  await pushListing({ ...NONE, a: 5 });
  await pushListing({ ...NONE, a: 5 });
  expect(await changes()).toEqual(["aws_sqs_queue.a"]);
  await pushListing(NONE);
  expect(await changes()).toEqual([]);
  await pushListing({ ...NONE, a: 5 });
  expect(await changes()).toEqual(["aws_sqs_queue.a"]);
});

describe("an attribute that the cloud no longer shows", () => {
  const NAME = "greeter";
  const ARN = `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${NAME}`;
  const KEY = `arn:aws:kms:eu-west-1:${ACCOUNT}:key/11111111-2222-3333-4444-555555555555`;
  const attributes = {
    arn: ARN,
    function_name: NAME,
    id: NAME,
    handler: "index.handler",
    runtime: "nodejs22.x",
  };
  const FUNCTION = { FunctionName: NAME, Handler: "index.handler", Runtime: "nodejs22.x", MemorySize: 128 };

  /** Creates an account with a function whose environment is encrypted with a key. */
  async function encrypted() {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    const declared = { ...attributes, kms_key_arn: KEY, memory_size: 128, timeout: 3 };
    const state = tfstate([{ type: "aws_lambda_function", name: NAME, attributes: declared }]);
    await org.pushState(await org.source("main", account.id), state);
    const row = { provider_resource_id: ARN, provider_type: "AWS::Lambda::Function" };
    return {
      push: (properties: object) => org.pushListing(account, ndjson([{ ...row, properties }])),
      changes: async () => {
        const { data } = await inventory.call(ListDriftChanges, {
          org_id: org.id,
          kind: "changed",
          limit: 10,
        });
        return data.flatMap(({ attribute_changes }) => attribute_changes);
      },
    };
  }

  test("was removed if it was there before, until it is back", async () => {
    const { push, changes } = await encrypted();
    await push({ ...FUNCTION, KmsKeyArn: KEY });
    expect(await changes()).toEqual([]);
    await push(FUNCTION);
    expect(await changes()).toMatchObject([{ path: ["kms_key_arn"], before: KEY, after: null }]);
    await push({ ...FUNCTION, MemorySize: 256 });
    expect((await changes()).map(({ path }) => path)).toEqual([["kms_key_arn"], ["memory_size"]]);
    await push({ ...FUNCTION, KmsKeyArn: KEY });
    expect(await changes()).toEqual([]);
  });

  test("is unknown if it never was there", async () => {
    const { push, changes } = await encrypted();
    await push(FUNCTION);
    await push({ ...FUNCTION, Timeout: 3 });
    expect(await changes()).toEqual([]);
  });

  test("is unknown if much else is missing, too", async () => {
    const { push, changes } = await encrypted();
    await push({ ...FUNCTION, Timeout: 3, KmsKeyArn: KEY });
    await push({ FunctionName: NAME, Runtime: "nodejs22.x" });
    expect(await changes()).toEqual([]);
  });
});

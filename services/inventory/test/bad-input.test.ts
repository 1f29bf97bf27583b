import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { GetResource } from "@leeway/shared/contracts/inventory/resources";
import { sha256 } from "@leeway/shared/values/digest";
import { AppError } from "@leeway/shared/values/errors";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ACCOUNT = "123456789012";
const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const row = (more: object) => ({ provider_resource_id: arn("a"), provider_type: "AWS::SQS::Queue", ...more });
const NUL = "a\u0000b";
/** Half of a surrogate pair. */
const HALF = "a\ud800b";
/** Returns an incompressible text, whose length an index can't reduce. */
const long = (length: number) =>
  Array.from({ length: Math.ceil(length / 43) }, (_, index) => sha256(String(index)).toString("base64url"))
    .join("")
    .slice(0, length);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Returns the outcome of a push: "taken", or the code of the refusal. Throws any other failure. */
async function outcomeOf(push: Promise<unknown>): Promise<string> {
  return push.then(
    () => "taken",
    (error: unknown) => {
      if (error instanceof AppError && error.code !== "internal") return error.code;
      throw error;
    },
  );
}

const REFUSED = "unsupported_format";

const queue = (attributes: Record<string, unknown>) =>
  tfstate([{ type: "aws_sqs_queue", name: "a", attributes }]);
const edition = (members: object) => ({
  ...tfstate([{ type: "aws_sqs_queue", name: "a", attributes: {} }]),
  ...members,
});
const same = { type: "aws_sqs_queue", name: "a", attributes: { arn: arn("a") } };
const twice = tfstate([same, same]);
const resource = (members: object) => ({
  ...tfstate([]),
  resources: [
    { mode: "managed", type: "aws_sqs_queue", name: "a", instances: [{ attributes: {} }], ...members },
  ],
});

describe("a listing", () => {
  test.each<[string, object | string, string]>([
    ["an id with a NUL", row({ provider_resource_id: arn(NUL) }), "taken"],
    ["an id with half a surrogate pair", row({ provider_resource_id: arn(HALF) }), "taken"],
    ["an id of 2,000 bytes", row({ provider_resource_id: long(2_000) }), "taken"],
    ["an id of 2,001 bytes", row({ provider_resource_id: long(2_001) }), REFUSED],
    ["an ARN of 2,000 bytes", row({ provider_resource_id: arn(long(1_963)) }), "taken"],
    ["an empty id", row({ provider_resource_id: "" }), REFUSED],
    ["a numeric id", row({ provider_resource_id: 1 }), REFUSED],
    ["a type with a NUL", row({ provider_type: NUL }), "taken"],
    ["a type of 301 characters", row({ provider_type: long(301) }), REFUSED],
    ["a type of 301 bytes", row({ provider_type: `${long(299)}é` }), REFUSED],
    ["a name with a NUL", row({ name: NUL }), "taken"],
    ["a name of a megabyte", row({ name: "n".repeat(1 << 20) }), "taken"],
    ["a region with a NUL", row({ region: NUL }), "taken"],
    ["a region of ten thousand characters", row({ region: long(10_000) }), "taken"],
    ["tags with NULs and half pairs", row({ tags: { [NUL]: NUL, [HALF]: HALF } }), "taken"],
    ["numeric tags", row({ tags: { a: 1, b: null, c: true } }), REFUSED],
    [
      "a tag of ten thousand characters",
      row({ tags: { "aws:autoscaling:groupName": long(10_000) } }),
      "taken",
    ],
    [
      "properties with NULs and half pairs",
      row({ properties: { [NUL]: [NUL, HALF], __proto__: NUL } }),
      "taken",
    ],
    ["a parent of ten thousand characters", row({ parent_id: arn(long(10_000)) }), "taken"],
    ["a parent with a NUL", row({ parent_id: NUL }), "taken"],
    ["a Terraform type of ten thousand characters", row({ terraform_type: long(10_000) }), "taken"],
    ["a Terraform type with a NUL", row({ terraform_type: `aws_${NUL}` }), "taken"],
    ["an id with our column separator", row({ provider_resource_id: "a\u001Fb\t\\N\n" }), "taken"],
    ["a region with our column separator", row({ region: "a\u001Fb" }), "taken"],
    ["properties that aren't an object", row({ properties: [1] }), REFUSED],
    [
      "a member called __proto__",
      `{"__proto__":{"x":1},"provider_resource_id":"p","provider_type":"T"}`,
      REFUSED,
    ],
    [
      "numbers out of range",
      `{"provider_resource_id":"p","provider_type":"T","properties":{"n":1e400,"m":-1e400}}`,
      "taken",
    ],
    [
      "properties 150 levels deep",
      `{"provider_resource_id":"p","provider_type":"T","properties":${nested(150)}}`,
      "taken",
    ],
    [
      "properties 5,000 levels deep",
      `{"provider_resource_id":"p","provider_type":"T","properties":${nested(5_000)}}`,
      REFUSED,
    ],
    ["an invalid UTF-8 byte", "\u00ff\u00fe", REFUSED],
  ])("with %s is accepted or refused without a server error", async (_, body, wanted) => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    const sent = typeof body === "string" ? body : ndjson([body]);
    const outcome = await outcomeOf(org.pushListing(account, sent));
    expect(outcome).toBe(wanted);
    const rows = await org.resources();
    expect(rows).toHaveLength(outcome === "taken" ? 1 : 0);
    for (const { id, provider_resource_id } of rows) {
      const found = await inventory.call(GetResource, { org_id: org.id, resource_id: id });
      expect(found.provider_resource_id).toBe(provider_resource_id);
    }
    expect(await outcomeOf(org.pushState(await org.source("s"), tfstate([])))).toBe("taken");
  });

  test.each([
    ["a NUL", NUL],
    ["half a surrogate pair", HALF],
  ])("with %s in an enriched resource's properties can be pushed again", async (_, text) => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    const description = (Properties: object) => ({
      TypeName: "AWS::SQS::Queue",
      ResourceDescription: { Identifier: arn("a"), Properties: JSON.stringify(Properties) },
    });
    expect((await org.pushListing(account, description({ Arn: arn("a"), QueueName: text }))).errors).toEqual(
      [],
    );
    const [row_] = await org.resources();
    expect(row_?.enrichment_status).toBe("enriched");
    await org.pushListing(account, ndjson([row({ properties: { QueueName: `${text}!` } })]));
    const { properties } = await inventory.call(GetResource, { org_id: org.id, resource_id: row_!.id });
    expect(properties).toEqual({ QueueName: `${text}!` });
  });

  test("of random bytes is refused", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    for (let round = 0; round < 50; round += 1) {
      const bytes = crypto.getRandomValues(new Uint8Array(2 + ((round * 37) % 4_000)));
      if (round % 2 === 0) bytes.set([0x1f, 0x8b]);
      expect(await outcomeOf(org.startPush(account, bytes))).toBe(REFUSED);
    }
  });
});

describe("a state", () => {
  test.each<[string, object | string, string]>([
    [
      "attributes with NULs and half pairs",
      queue({ arn: arn(NUL), name: HALF, tags: { [NUL]: HALF } }),
      "taken",
    ],
    ["an ARN of ten thousand characters", queue({ arn: arn(long(10_000)) }), "taken"],
    ["an id of ten thousand characters", queue({ id: long(10_000), name: long(10_000) }), "taken"],
    ["an id with our column separator", queue({ id: "a\u001Fb", arn: arn("a\u001Fb") }), "taken"],
    ["attributes of the wrong types", queue({ arn: 1, id: null, name: [], tags: "x" }), "taken"],
    ["a name of ten thousand characters", resource({ name: long(10_000) }), REFUSED],
    ["a module of ten thousand characters", resource({ module: `module.${long(10_000)}` }), REFUSED],
    ["a type of ten thousand characters", resource({ type: long(10_000) }), REFUSED],
    ["a name with a NUL", resource({ name: NUL, type: `aws_${NUL}`, module: NUL, provider: NUL }), "taken"],
    ["an index with a NUL", resource({ instances: [{ index_key: NUL, attributes: {} }] }), "taken"],
    [
      "an index of ten thousand characters",
      resource({ instances: [{ index_key: long(10_000), attributes: {} }] }),
      REFUSED,
    ],
    ["instances that aren't a list", resource({ instances: [1, null, "x", [], {}] }), "taken"],
    ["missing instances", resource({ instances: undefined }), "taken"],
    ["a negative serial", edition({ serial: -1 }), REFUSED],
    ["a fractional serial", edition({ serial: 1.5 }), REFUSED],
    ["a serial over the safe integer range", edition({ serial: 2 ** 60 }), REFUSED],
    ["a serial out of range", '{"version":4,"serial":1e400,"resources":[]}', REFUSED],
    ["a serial over 64 bits", edition({ serial: 1e30 }), REFUSED],
    ["a serial as text", edition({ serial: "1" }), REFUSED],
    ["no serial", edition({ serial: undefined }), "taken"],
    ["no resources", edition({ resources: undefined }), "taken"],
    ["null resources", edition({ resources: null }), "taken"],
    ["resources that aren't a list", edition({ resources: { oops: 1 } }), REFUSED],
    ["resources that aren't objects", edition({ resources: [1, null, "x"] }), REFUSED],
    ["values in another format", { format_version: "2.0", values: {} }, REFUSED],
    ["a stack's first page", { StackResourceSummaries: [], NextToken: "more" }, REFUSED],
    ["values in the first format", { format_version: "0.1", values: {} }, "taken"],
    ["a lineage with a NUL", edition({ lineage: NUL }), "taken"],
    ["a lineage of a megabyte", edition({ lineage: long(1 << 20) }), "taken"],
    ["a numeric lineage", edition({ lineage: 1 }), "taken"],
    ["the same address twice", twice, "taken"],
    [
      "outputs 5,000 levels deep",
      `{"version":3,"deployment":{"resources":[{"custom":true,"urn":"u","type":"aws:sqs/queue:Queue","outputs":${nested(5_000)}}]}}`,
      REFUSED,
    ],
  ])("with %s is accepted or refused without a server error", async (_, body, wanted) => {
    const org = newOrg(inventory);
    await org.pushListing(await org.account("aws", ACCOUNT), ndjson([row({})]));
    const source = await org.source("s");
    const outcome = await outcomeOf(org.pushState(source, body));
    expect(outcome).toBe(wanted);
    await org.declared();
    expect(await outcomeOf(org.pushState(await org.source("other"), queue({ arn: arn("a") })))).toBe("taken");
    expect(await org.resources({ match: "matched" })).toHaveLength(1);
  });
});

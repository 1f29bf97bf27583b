import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Input } from "@leeway/shared/contracts/contract";
import {
  GetResource,
  ListResources,
  type LiveResource,
  type LiveResourceDetail,
} from "@leeway/shared/contracts/inventory/resources";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ACCOUNT = "123456789012";
const arn = (name: string, account = ACCOUNT) => `arn:aws:sqs:eu-west-1:${account}:${name}`;
const queue = (name: string, more: object = {}) => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  region: "eu-west-1",
  name,
  ...more,
});
const declaredQueue = (name: string, attributes: Record<string, unknown> = { arn: arn(name) }) => ({
  type: "aws_sqs_queue",
  name: name.replaceAll(/\W/g, "_"),
  attributes,
});

type Org = ReturnType<typeof newOrg>;
type Filter = Partial<Input<typeof ListResources>>;

const names = (rows: readonly LiveResource[]) =>
  rows.map(({ name, provider_resource_id }) => name ?? provider_resource_id);
const page = (org: Org, filter: Filter = {}) =>
  inventory.call(ListResources, { org_id: org.id, limit: 500, ...filter });
const detail = (org: Org, resource_id: string): Promise<LiveResourceDetail> =>
  inventory.call(GetResource, { org_id: org.id, resource_id });

/** Returns the resources of all pages. */
async function walk(org: Org, filter: Filter & { limit: number }): Promise<LiveResource[]> {
  const rows: LiveResource[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor } = await page(org, { ...filter, ...(cursor && { cursor }) });
    rows.push(...data);
    if (next_cursor === undefined) return rows;
    cursor = next_cursor;
  }
}

const firstCursor = async (org: Org, filter: Filter = {}) =>
  (await page(org, { limit: 1, ...filter })).next_cursor ?? "";
const refused = async (asked: Promise<unknown>) =>
  expect(await failureOf(asked)).toMatchObject({ code: "invalid_cursor" });

const queues = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    provider_resource_id: arn(`q${from + index}`),
    provider_type: "AWS::SQS::Queue",
  }));

describe("the list of live resources", () => {
  let org: Org;
  let aws: string;
  let acme: string;
  let between: string;
  beforeAll(async () => {
    org = newOrg(inventory);
    const [account, other] = [await org.account("aws", ACCOUNT), await org.account("acme", "rockets")];
    [aws, acme] = [account.id, other.id];
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("orders")]));
    const engine = { provider_resource_id: "engine-1", provider_type: "Acme::Engine", name: "Größe 100%_a" };
    await org.pushListing(other, ndjson([engine]));
    between = new Date().toISOString();
    const configItem = {
      configurationItemVersion: "1.3",
      configurationItemStatus: "OK",
      awsAccountId: ACCOUNT,
      awsRegion: "eu-west-1",
      resourceType: "AWS::SNS::Topic",
      resourceId: "arn:aws:sns:eu-west-1:123456789012:news",
      resourceName: "news",
      ARN: "arn:aws:sns:eu-west-1:123456789012:news",
      configuration: { TopicName: "news" },
    };
    const role = {
      provider_resource_id: `arn:aws:iam::${ACCOUNT}:role/aws-service-role/sqs.amazonaws.com/linked`,
      provider_type: "AWS::IAM::Role",
      name: "linked",
    };
    const alien = { provider_resource_id: "alien-1", provider_type: "AWS::Alien::Thing", name: "alien" };
    await org.pushListing(
      account,
      [ndjson([queue("orders"), queue("Extra"), role, alien]), JSON.stringify(configItem)].join("\n"),
    );
  });

  test.each<[string, () => Filter, string[]]>([
    ["account", () => ({ account_id: aws }), ["orders", "Extra", "linked", "alien", "news"]],
    ["another account", () => ({ account_id: acme }), ["Größe 100%_a"]],
    ["an unknown account", () => ({ account_id: crypto.randomUUID() }), []],
    ["normalized type", () => ({ normalized_type: "queue" }), ["orders", "Extra"]],
    ["provider type", () => ({ provider_type: "AWS::IAM::Role" }), ["linked"]],
    ["match", () => ({ match: "matched" }), ["orders"]],
    [
      "undeclared, certain or not",
      () => ({ match: "undeclared", account_id: aws }),
      ["Extra", "alien", "news"],
    ],
    ["unchecked match", () => ({ match: "unchecked", account_id: aws }), ["alien"]],
    ["excluded", () => ({ match: "excluded" }), ["linked"]],
    ["no enrichment", () => ({ enrichment_status: "none" }), ["orders", "Extra", "linked", "alien"]],
    ["properties from the listing", () => ({ enrichment_status: "enriched" }), ["news"]],
    ["no enricher", () => ({ enrichment_status: "n/a" }), ["Größe 100%_a"]],
    ["part of the name", () => ({ q: "xtr" }), ["Extra"]],
    ["a name in another case", () => ({ q: "GRÖß" }), ["Größe 100%_a"]],
    ["part of the cloud's id", () => ({ q: "AWS-SERVICE-ROLE/" }), ["linked"]],
    ["a percent sign, which isn't a wildcard", () => ({ q: "%" }), ["Größe 100%_a"]],
    ["an underscore, which isn't a wildcard", () => ({ q: "l_nked" }), []],
    ["a backslash and quotes", () => ({ q: String.raw`\'"` }), []],
    ["time last seen", () => ({ seen_since: between }), ["orders", "Extra", "linked", "alien", "news"]],
    ["a time in the future", () => ({ seen_since: "2999-01-01T00:00:00Z" }), []],
    [
      "several filters",
      () => ({ account_id: aws, normalized_type: "queue", match: "undeclared" }),
      ["Extra"],
    ],
  ])("is filtered by %s, and so is the total", async (_, filter, wanted) => {
    const { data, total_count } = await page(org, { ...filter(), total: true });
    expect(names(data).toSorted()).toEqual(wanted.toSorted());
    expect(total_count).toBe(wanted.length);
  });

  test.each(["normalized_type", "match", "enrichment_status"])(
    "refuses an unknown %s instead of returning nothing",
    async (name) => {
      const slip: object = { [name]: "databse" };
      expect(await failureOf(page(org, slip))).toMatchObject({
        code: "invalid_parameter",
        details: [{ field: name, message: expect.stringContaining("must be one of") }],
      });
    },
  );

  test("returns the total of all pages only on request", async () => {
    const { total_count, next_cursor } = await page(org, { limit: 2, total: true });
    expect(total_count).toBe(6);
    expect(
      await page(org, { limit: 2, ...(next_cursor && { cursor: next_cursor }), total: true }),
    ).toMatchObject({
      total_count: 6,
      data: [expect.anything(), expect.anything()],
    });
    expect(await page(org, { limit: 2 })).not.toContainKey("total_count");
  });

  test.each([1, 2, 5, 6, 7])("in pages of %i contains each resource once, ordered by id", async (limit) => {
    const rows = (await walk(org, { limit })).map(({ id }) => id);
    expect(rows).toEqual((await org.resources()).map(({ id }) => id));
    expect(rows).toEqual(rows.toSorted());
    expect(rows).toHaveLength(6);
  });

  test("returns no cursor with the last page, even if it is full", async () => {
    expect(await page(org, { limit: 6 })).not.toContainKey("next_cursor");
    expect(await page(org, { limit: 7 })).not.toContainKey("next_cursor");
    expect(await page(org, { match: "matched", limit: 1 })).not.toContainKey("next_cursor");
  });

  describe("refuses a cursor", () => {
    test("for other filters", async () => {
      const cursor = await firstCursor(org);
      await refused(page(org, { cursor, match: "undeclared" }));
      await refused(page(org, { cursor, q: "a" }));
      await refused(page(org, { cursor: await firstCursor(org, { account_id: aws }), account_id: acme }));
      await refused(page(org, { cursor: await firstCursor(org, { match: "undeclared" }) }));
    });

    test("of another organization", async () => {
      const other = newOrg(inventory);
      await refused(page(other, { cursor: await firstCursor(org) }));
    });

    test("that was changed or made up", async () => {
      const cursor = await firstCursor(org);
      const [version, , mac] = cursor.split(".");
      const elsewhere = Buffer.from(Bun.randomUUIDv7()).toString("base64url");
      const wrong = [`${version}.${elsewhere}.${mac}`, cursor.slice(0, -1), `${cursor}.`, "1..", "x", "'"];
      for (const cursor of wrong) await refused(page(org, { cursor }));
    });

    test("but not with another page size or with the total", async () => {
      const cursor = await firstCursor(org);
      expect((await page(org, { cursor, limit: 3, total: true })).data).toHaveLength(3);
    });
  });
});

test("paging through 20,000 resources finds each constant one once while a push replaces half", async () => {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  // Kept and removed resources alternate in the order of the walk.
  const all = queues(0, 20_000);
  const staying = all.filter((_, index) => index % 2 === 0);
  await org.pushListing(account, ndjson(all));

  const seen: string[] = [];
  let replaced: Promise<unknown> | undefined;
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await page(org, cursor === undefined ? {} : { cursor });
    for (const { provider_resource_id } of data) seen.push(provider_resource_id);
    cursor = next_cursor;
    if (seen.length === 4_000)
      replaced = org.pushListing(account, ndjson([...staying, ...queues(20_000, 10_000)]));
    if (seen.length === 12_000) await replaced;
  } while (cursor !== undefined);

  const met = new Set(seen);
  expect(seen).toHaveLength(met.size);
  expect(staying.filter(({ provider_resource_id }) => !met.has(provider_resource_id))).toEqual([]);
  // The walk returned some of the removed resources and all new ones.
  expect(seen.length).toBeWithin(10_000 + 2_000 + 10_000, 10_000 + 6_000 + 10_000 + 1);
});

describe("a resource", () => {
  test("is found by our id in any case and by the cloud's id", async () => {
    const org = newOrg(inventory);
    await org.pushListing(await org.account("aws", ACCOUNT), ndjson([queue("a"), queue("b")]));
    const [listed] = await org.resources({ q: "a" });
    const found = await detail(org, listed!.id);
    expect(found).toMatchObject(listed!);
    expect(await detail(org, listed!.id.toUpperCase())).toEqual(found);
    expect(await detail(org, arn("a"))).toEqual(found);
    for (const nowhere of [crypto.randomUUID(), arn("c"), arn("a").toUpperCase(), "'", "%"]) {
      expect(await failureOf(detail(org, nowhere)), nowhere).toMatchObject({ code: "not_found" });
    }
  });

  test("is found by its cloud's id even if that is a UUID", async () => {
    const org = newOrg(inventory);
    const server = { provider_resource_id: crypto.randomUUID(), provider_type: "OS::Nova::Server" };
    await org.pushListing(await org.account("openstack", "one"), ndjson([server]));
    const [listed] = await org.resources();
    expect(await detail(org, server.provider_resource_id)).toMatchObject({ id: listed!.id });
  });

  test("whose cloud's id isn't unique must be named by our id", async () => {
    const org = newOrg(inventory);
    const same = { provider_resource_id: "shared", provider_type: "Acme::Engine" };
    await org.pushListing(await org.account("acme", "one"), ndjson([same]));
    await org.pushListing(await org.account("acme", "two"), ndjson([same]));
    expect(await failureOf(detail(org, "shared"))).toMatchObject({ code: "ambiguous_resource" });
    for (const { id } of await org.resources()) expect((await detail(org, id)).id).toBe(id);

    const types = newOrg(inventory);
    const typed = { ...same, provider_type: "Acme::Wheel" };
    await types.pushListing(await types.account("acme", "one"), ndjson([same, typed]));
    expect(await failureOf(detail(types, "shared"))).toMatchObject({ code: "ambiguous_resource" });
  });

  test("shows its properties with secrets masked, and their locations", async () => {
    const org = newOrg(inventory);
    const properties = {
      QueueName: "a",
      Password: "hunter2-canary",
      Nested: [{ "with/slash": { "api~token": "canary-token-0123456789abcdef" } }, { plain: 1 }],
      Variables: [{ Name: "DB_PASSWORD", Value: "canary-pair" }],
      Url: "postgres://admin:canary-in-url@db.example.com/x",
    };
    await org.pushListing(
      await org.account("aws", ACCOUNT),
      ndjson([queue("a", { properties, tags: { team: "core", password: "canary-tag" } })]),
    );
    const found = await detail(org, arn("a"));
    expect(JSON.stringify(found)).not.toContain("canary");
    expect(found).toMatchObject({
      properties: { QueueName: "a", Password: "[redacted]", Nested: [{}, { plain: 1 }] },
      redactions: ["/Password", "/Nested/0/with~1slash/api~0token", "/Variables/0/Value", "/Url"],
      tags: { team: "core", password: "[redacted]" },
    });
  });

  test("without properties has no redactions either", async () => {
    const org = newOrg(inventory);
    await org.pushListing(await org.account("aws", ACCOUNT), ndjson([queue("a")]));
    const found = await detail(org, arn("a"));
    for (const absent of [
      "properties",
      "redactions",
      "tags",
      "excluded_by",
      "iac_resource_id",
      "enriched_at",
    ])
      expect(found).not.toContainKey(absent);
  });

  describe("explains each key that was tried:", () => {
    let org: Org;
    beforeAll(async () => {
      org = newOrg(inventory);
      const account = await org.account("aws", ACCOUNT);
      await org.pushState(
        await org.source("jobs"),
        tfstate([
          declaredQueue("a"),
          declaredQueue("elsewhere", { arn: arn("b", "999999999999") }),
          declaredQueue("twice-1", { arn: arn("twice") }),
          declaredQueue("twice-2", { arn: arn("twice") }),
          declaredQueue("named", { name: "named" }),
          declaredQueue("shared-1", { name: "shared" }),
          declaredQueue("shared-2", { name: "shared" }),
        ]),
      );
      const url = `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/named`;
      const listed = ["a", "b", "c", "twice", "named", "shared"].map((name) => queue(name));
      const alias = { provider_resource_id: `${url}-2`, provider_type: "AWS::SQS::Queue" };
      await org.pushListing(account, ndjson([...listed, alias]));
    });

    test.each<[string, string, Record<string, string>]>([
      [
        "matched, and surer than later ones",
        "a",
        { id: "matched", type_id: "surer_key_used", name: "surer_key_used" },
      ],
      [
        "declared, but in another account",
        "b",
        { id: "no_declaration", type_id: "other_scope", name: "other_scope" },
      ],
      [
        "declared nowhere",
        "c",
        { identity: "no_declaration", id: "no_declaration", type_id: "no_declaration" },
      ],
      ["declared twice in one source by full id", "twice", { id: "matched", type_id: "surer_key_used" }],
      ["declared twice in one source by name", "shared", { id: "no_declaration", type_id: "ambiguous" }],
      ["matched by a weaker key", "named", { id: "no_declaration", type_id: "matched" }],
    ])("%s", async (_, name, outcomes) => {
      const { match, iac_resource_id } = await detail(org, arn(name));
      const byLevel = Object.fromEntries(match.tried.map(({ level, outcome }) => [level, outcome]));
      expect(byLevel).toMatchObject(outcomes);
      for (const { key, explanation } of match.tried) expect([key, explanation]).not.toContain("");
      const matched = match.tried.find(({ outcome }) => outcome === "matched");
      expect([match.key]).toEqual([matched?.key]);
      expect(match.status).toBe(matched ? "matched" : "undeclared");
      const claims = [iac_resource_id].filter((id) => id !== undefined);
      expect(match.claimed_by).toEqual(expect.arrayContaining(claims));
      expect(match.claimed_by).toHaveLength(name === "twice" ? 2 : claims.length);
    });

    test("several accounts have it and the declaration names none", async () => {
      const group = { provider_resource_id: "sg-1", provider_type: "AWS::EC2::SecurityGroup" };
      const nowhere = newOrg(inventory);
      await nowhere.pushState(
        await nowhere.source("net"),
        tfstate([{ type: "aws_security_group", name: "a", attributes: { id: "sg-1" } }]),
      );
      for (const id of [ACCOUNT, "222222222222"])
        await nowhere.pushListing(await nowhere.account("aws", id), ndjson([group]));
      const [first] = await nowhere.resources();
      const { match } = await detail(nowhere, first?.id ?? "");
      expect(match.tried.at(-1)).toMatchObject({
        outcome: "ambiguous",
        explanation: expect.stringContaining("names no account"),
      });
    });

    test("several resources share it", async () => {
      const { match } = await detail(org, arn("shared"));
      expect(match.tried.find(({ level }) => level === "type_id")?.explanation).toContain(
        "1 live and 2 declared resources have this key; declared resources that may be this one aren't missing",
      );
    });
  });
});

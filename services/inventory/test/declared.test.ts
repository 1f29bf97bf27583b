import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DeleteAccount } from "@leeway/shared/contracts/inventory/accounts";
import {
  ListExclusionRules,
  ListSnapshots,
  SwitchExclusionRule,
} from "@leeway/shared/contracts/inventory/posture";
import { ListScans } from "@leeway/shared/contracts/inventory/scans";
import {
  CreateSource,
  DeleteSource,
  GetSource,
  UpdateSource,
} from "@leeway/shared/contracts/inventory/sources";
import { failureOf } from "@leeway/shared/testing";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const [ONE, TWO] = ["111111111111", "222222222222"] as const;
const arn = (name: string, account: string = ONE) => `arn:aws:sqs:eu-west-1:${account}:${name}`;
const queue = (name: string, account: string = ONE) => ({
  provider_resource_id: arn(name, account),
  provider_type: "AWS::SQS::Queue",
});
const declaredQueue = (name: string, account: string = ONE) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { arn: arn(name, account) },
});
/** Nothing in it names an account. */
const group = (id: string) => ({ provider_resource_id: id, provider_type: "AWS::EC2::SecurityGroup" });
const declaredGroup = (id: string, attributes: object = {}) => ({
  type: "aws_security_group",
  name: id.replaceAll("-", "_"),
  attributes: { id, ...attributes },
});

type Org = ReturnType<typeof newOrg>;

/** Two accounts of one organization. */
async function start() {
  const org = newOrg(inventory);
  return { org, one: await org.account("aws", ONE), two: await org.account("aws", TWO) };
}

/** What is matched in an account, by the cloud's ids. */
const matchedIn = async (org: Org, { id }: { id: string }) =>
  (await org.resources({ account_id: id, match: "matched" }))
    .map((row) => row.provider_resource_id)
    .toSorted();
/** What became of what is declared, by address. */
const fates = async (org: Org) =>
  Object.fromEntries((await org.declared()).map(({ address, match }) => [address, match.status]));
const postureOf = async (org: Org, { id }: { id: string }) =>
  (await org.posture()).find((row) => row.cloud_account_id === id);

describe("the account of a declared resource", () => {
  test("is the one that its own identifiers name, whatever other account has its namesake", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(two, ndjson([queue("a", TWO)]));
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("a", TWO)]));
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await matchedIn(org, two)).toEqual([arn("a", TWO)]);
  });

  test("is told by what the same provider configuration made beside it", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-1")]));
    await org.pushState(
      await org.source("net"),
      tfstate([declaredGroup("sg-1"), declaredQueue("gone", TWO)]),
    );
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { missing_count: 0, undeclared_count: 1 },
      { missing_count: 1, undeclared_count: 0 },
    ]);
  });

  test("is its source's, when that has one and nothing names another", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-1"), group("sg-3")]));
    await org.pushState(
      await org.source("net", two.id),
      tfstate([declaredGroup("sg-1"), declaredGroup("sg-2")]),
    );
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect(await postureOf(org, two)).toMatchObject({ missing_count: 1 });
  });

  test("changes with its source's", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-2")]));
    const net = await org.source("net", one.id);
    await org.pushState(net, tfstate([declaredGroup("sg-2")]));
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { missing_count: 1, matched_count: 0 },
      { missing_count: 0, matched_count: 0 },
    ]);
    const moved = { org_id: org.id, source_id: net.id, cloud_account_id: two.id };
    expect(await inventory.call(UpdateSource, moved)).toMatchObject({ matched_count: 1, missing_count: 0 });
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { missing_count: 0, matched_count: 0 },
      { missing_count: 0, matched_count: 1, coverage_pct: 100 },
    ]);
  });

  test("stays open where several have it: it is in none of them, and missing in none", async () => {
    const { org, one, two } = await start();
    await org.pushState(await org.source("net"), tfstate([declaredGroup("sg-1")]));
    await org.pushListing(one, ndjson([group("sg-1"), group("sg-2")]));
    expect(await matchedIn(org, one)).toEqual(["sg-1"]);
    expect(await postureOf(org, one)).toMatchObject({ coverage_pct: 50 });

    await org.pushListing(two, ndjson([group("sg-1")]));
    expect([...(await matchedIn(org, one)), ...(await matchedIn(org, two))]).toEqual([]);
    expect(await fates(org)).toEqual({ "aws_security_group.sg_1": "unobserved" });
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { matched_count: 0, undeclared_count: 2, missing_count: 0, coverage_pct: 0 },
      { matched_count: 0, undeclared_count: 1, missing_count: 0, coverage_pct: 0 },
    ]);

    await org.pushListing(one, ndjson([group("sg-2")]));
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect(await fates(org)).toEqual({ "aws_security_group.sg_1": "matched" });
    expect(await postureOf(org, two)).toMatchObject({ matched_count: 1, coverage_pct: 100 });
  });

  test("is settled when the other one that has it is deleted", async () => {
    const { org, one, two } = await start();
    await org.pushState(await org.source("net"), tfstate([declaredGroup("sg-1")]));
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-1")]));
    await inventory.call(DeleteAccount, { org_id: org.id, account_id: two.id });
    expect(await matchedIn(org, one)).toEqual(["sg-1"]);
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 1, coverage_pct: 100 });
  });

  test("is told apart by region, where both sides name one", async () => {
    const { org, one } = await start();
    await org.pushListing(
      one,
      ndjson([{ ...queue("a"), provider_resource_id: arn("a"), region: "eu-west-1" }]),
    );
    const elsewhere = { name: "a", arn: arn("a").replace("eu-west-1", "us-east-1") };
    await org.pushState(
      await org.source("jobs"),
      tfstate([{ type: "aws_sqs_queue", name: "a", attributes: elsewhere }]),
    );
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await fates(org)).toEqual({ "aws_sqs_queue.a": "missing" });
  });
});

describe("what is declared and not live", () => {
  test("counts as missing on its source and in its account, from the first listing on", async () => {
    const { org, one } = await start();
    const jobs = await org.source("jobs");
    expect(await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]))).toMatchObject({
      missing_count: 0,
      unobserved_count: 2,
    });
    await org.pushListing(one, ndjson([queue("a")]));
    const counts = { matched_count: 1, missing_count: 1 };
    expect(await inventory.call(GetSource, { org_id: org.id, source_id: jobs.id })).toMatchObject(counts);
    expect(await postureOf(org, one)).toMatchObject(counts);
  });

  test("of an account that nobody has added counts on its source only", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const pushed = await org.pushState(
      await org.source("jobs"),
      tfstate([declaredQueue("x", "999999999999")]),
    );
    expect(pushed).toMatchObject({ missing_count: 1, unobserved_count: 0 });
    for (const row of await org.posture()) expect(row.missing_count).toBe(0);
  });

  test("is found again as soon as a listing has it", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("a"), declaredQueue("b")]));
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    expect(await postureOf(org, one)).toMatchObject({
      missing_count: 0,
      matched_count: 2,
      risk_level: "none",
    });
  });
});

describe("two sources that declare one resource", () => {
  test("both have it, the older one is its own, and the conflict shows on all sides", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    const [older, newer] = [await org.source("older"), await org.source("newer")];
    await org.pushState(newer, tfstate([declaredQueue("a")]));
    await org.pushState(older, tfstate([declaredQueue("a"), declaredQueue("b")]));
    const declared = await org.declared();
    const of = (source: { id: string }) =>
      declared.filter(({ iac_source_id }) => iac_source_id === source.id);
    const [a, b] = (await org.resources()).toSorted((x, y) =>
      x.provider_resource_id < y.provider_resource_id ? -1 : 1,
    );
    expect(a).toMatchObject({ match: { status: "matched", conflict: true } });
    expect(of(older).map(({ id }) => id)).toContain(a!.iac_resource_id!);
    expect(b!.match).not.toContainKey("conflict");
    expect(declared.filter(({ match }) => match.conflict)).toHaveLength(2);
    expect(declared.every(({ match }) => match.status === "matched")).toBe(true);
    expect(await postureOf(org, one)).toMatchObject({ live_count: 2, matched_count: 2, missing_count: 0 });
  });

  test("are one again when the other is deleted, whichever it is", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const [older, newer] = [await org.source("older"), await org.source("newer")];
    for (const source of [older, newer]) await org.pushState(source, tfstate([declaredQueue("a")]));
    await inventory.call(DeleteSource, { org_id: org.id, source_id: older.id });
    const [left] = await org.declared();
    const [live] = await org.resources();
    expect(live).toMatchObject({ iac_resource_id: left!.id, match: { status: "matched" } });
    expect(live!.match).not.toContainKey("conflict");
    expect(left!.iac_source_id).toBe(newer.id);
  });
});

const part = (name: string, parent_id: string) => ({
  provider_resource_id: `arn:aws:acme:eu-west-1:${ONE}:part/${name}`,
  provider_type: "AWS::Acme::Part",
  parent_id,
});

describe("what is declared before it is listed", () => {
  test("belongs to the older of two sources, and the conflict shows", async () => {
    const { org, one } = await start();
    const [older, newer] = [await org.source("older"), await org.source("newer")];
    for (const source of [newer, older]) await org.pushState(source, tfstate([declaredQueue("a")]));
    await org.pushListing(one, ndjson([queue("a")]));
    const [live] = await org.resources();
    const own = (await org.declared()).find(({ iac_source_id }) => iac_source_id === older.id);
    expect(live).toMatchObject({ iac_resource_id: own!.id, match: { status: "matched", conflict: true } });
  });

  test("covers what it makes by itself, and what that makes, wherever it is listed", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("owner")]));
    const listing = ndjson([
      part("grandchild", part("child", "").provider_resource_id),
      part("child", arn("owner")),
      queue("owner"),
    ]);
    for (const changes of [{ created: 3 }, { created: 0 }]) {
      expect((await org.pushListing(one, listing)).stats).toMatchObject({ ...changes, matched: 3 });
    }
    expect((await org.pushListing(one, ndjson([part("grandchild", arn("owner"))]))).stats).toMatchObject({
      gone: 2,
      matched: 0,
    });
  });
});

describe("what is held inside another resource", () => {
  const rule = {
    provider_resource_id: "sgr-1",
    provider_type: "AWS::EC2::SecurityGroupIngress",
    properties: { GroupId: "sg-1", IpProtocol: "tcp", FromPort: 443, ToPort: 443, CidrIp: "10.0.0.0/8" },
  };
  const ingress = [{ protocol: "tcp", from_port: 443, to_port: 443, cidr_blocks: ["10.0.0.0/8"] }];

  test("declares what is live, is never listed by itself, and never missing", async () => {
    const { org, one } = await start();
    const net = await org.source("net", one.id);
    expect(await org.pushState(net, tfstate([declaredGroup("sg-1", { ingress })]))).toMatchObject({
      resource_count: 1,
    });
    await org.pushListing(one, ndjson([group("sg-1"), rule]));
    expect(await matchedIn(org, one)).toEqual(["sg-1", "sgr-1"]);
    expect(await fates(org)).toEqual({ "aws_security_group.sg_1": "matched" });

    await org.pushListing(one, ndjson([group("sg-1")]));
    expect(await postureOf(org, one)).toMatchObject({ missing_count: 0, matched_count: 1 });
  });

  test("is found by what the listing tells only when it names it again", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("net", one.id), tfstate([declaredGroup("sg-1", { ingress })]));
    const { provider_resource_id, provider_type } = rule;
    await org.pushListing(one, ndjson([{ provider_resource_id, provider_type }, group("sg-1"), rule]));
    expect(await matchedIn(org, one)).toEqual(["sg-1", "sgr-1"]);
  });

  test("covers what its owner makes by itself", async () => {
    const { org, one } = await start();
    const owner = { provider_resource_id: arn("owner"), provider_type: "AWS::SQS::Queue" };
    const made = {
      provider_resource_id: "made-1",
      provider_type: "AWS::Acme::Part",
      parent_id: arn("owner"),
    };
    const grandchild = {
      provider_resource_id: "made-2",
      provider_type: "AWS::Acme::Part",
      parent_id: "nobody",
    };
    const jobs = await org.source("jobs");
    await org.pushListing(one, ndjson([owner, made, grandchild]));
    expect(await matchedIn(org, one)).toEqual([]);
    await org.pushState(jobs, tfstate([declaredQueue("owner")]));
    expect(await matchedIn(org, one)).toEqual([arn("owner"), "made-1"]);
    const [covered] = await org.resources({ q: "made-1" });
    const [declared] = await org.declared();
    expect(covered).toMatchObject({
      iac_resource_id: declared!.id,
      match: { status: "matched", level: "owner", confidence: 0.9 },
    });
    // The owner's declaration is the owner's: what it made is not what it is matched to.
    const [live] = await org.resources({ q: ":owner" });
    expect(declared!.match.live_resource_id).toBe(live!.id);

    await inventory.call(DeleteSource, { org_id: org.id, source_id: jobs.id });
    expect(await matchedIn(org, one)).toEqual([]);
  });
});

const RULE = "aws.service_linked_role";
const role = (name: string) => ({
  provider_resource_id: `arn:aws:iam::${ONE}:role/aws-service-role/sqs.amazonaws.com/${name}`,
  provider_type: "AWS::IAM::Role",
});
const enabled = async ({ id }: Org) => {
  const { data } = await inventory.call(ListExclusionRules, { org_id: id });
  return data.find((rule) => rule.id === RULE)?.enabled;
};

const set = (org: Org, enabled: boolean) =>
  inventory.call(SwitchExclusionRule, { org_id: org.id, rule_id: RULE, enabled });

describe("an exclusion rule", () => {
  test("leaves out of the counts what it names, until it is switched off, and again when it is on", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), role("x"), role("y")]));
    const left = { live_count: 1, undeclared_count: 1, excluded_count: 2 };
    const counted = { live_count: 3, undeclared_count: 3, excluded_count: 0 };
    expect(await postureOf(org, one)).toMatchObject(left);
    expect(await org.resources({ match: "excluded" })).toMatchObject([
      { excluded_by: RULE },
      { excluded_by: RULE },
    ]);

    expect(await set(org, false)).toMatchObject({ id: RULE, enabled: false, excluded_count: 0 });
    expect(await postureOf(org, one)).toMatchObject(counted);
    for (const row of await org.resources()) expect(row).not.toContainKey("excluded_by");
    await org.pushListing(one, ndjson([queue("a"), role("x"), role("y")]));
    expect(await postureOf(org, one)).toMatchObject(counted);

    expect(await set(org, true)).toMatchObject({ enabled: true, excluded_count: 2 });
    expect(await postureOf(org, one)).toMatchObject(left);
  });

  test("leaves nothing out that is declared", async () => {
    const { org, one } = await start();
    const { provider_resource_id } = role("x");
    const declared = {
      type: "aws_iam_service_linked_role",
      name: "x",
      attributes: { arn: provider_resource_id },
    };
    await org.pushListing(one, ndjson([role("x"), role("y")]));
    const iam = await org.source("iam");
    await org.pushState(iam, tfstate([declared]));
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 1, live_count: 1, excluded_count: 1 });
    await inventory.call(DeleteSource, { org_id: org.id, source_id: iam.id });
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 0, live_count: 0, excluded_count: 2 });
  });

  test("is one organization's own to switch", async () => {
    const [{ org }, { org: other }] = [await start(), await start()];
    await set(org, false);
    expect([await enabled(org), await enabled(other)]).toEqual([false, true]);
  });

  test("that doesn't exist can't be switched", async () => {
    const { org } = await start();
    const wrong = { org_id: org.id, rule_id: "aws.nothing", enabled: false };
    expect(await failureOf(inventory.call(SwitchExclusionRule, wrong))).toMatchObject({ code: "not_found" });
  });
});

describe("a source", () => {
  test("that is deleted leaves what it declared undeclared", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    const jobs = await org.source("jobs");
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("gone")]));
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 1, missing_count: 1 });
    await inventory.call(DeleteSource, { org_id: org.id, source_id: jobs.id });
    expect(await postureOf(org, one)).toMatchObject({
      matched_count: 0,
      missing_count: 0,
      undeclared_count: 2,
      coverage_pct: 0,
      risk_level: "none",
    });
    expect(await org.declared()).toEqual([]);
    const gone = { org_id: org.id, source_id: jobs.id };
    expect(await failureOf(inventory.call(DeleteSource, gone))).toMatchObject({ code: "not_found" });
  });

  test("has a name of its own, and an account that is there", async () => {
    const { org } = await start();
    await org.source("jobs");
    const other = await org.source("other");
    const taken = { code: "conflict" };
    expect(await failureOf(org.source("jobs"))).toMatchObject(taken);
    const renamed = { org_id: org.id, source_id: other.id, name: "jobs" };
    expect(await failureOf(inventory.call(UpdateSource, renamed))).toMatchObject(taken);
    const nowhere = { org_id: org.id, name: "x", cloud_account_id: crypto.randomUUID() };
    expect(await failureOf(inventory.call(CreateSource, nowhere))).toMatchObject({
      code: "invalid_parameter",
    });
  });
});

describe("an account", () => {
  test("that is deleted takes its resources, scans and snapshots along, and ends its sources' hold on it", async () => {
    const { org, one, two } = await start();
    const jobs = await org.source("jobs", one.id);
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]));
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(two, ndjson([queue("x", TWO)]));
    await inventory.call(DeleteAccount, { org_id: org.id, account_id: one.id });

    expect((await org.posture()).map((row) => row.cloud_account_id)).toEqual([two.id]);
    expect((await org.resources()).map((row) => row.cloud_account_id)).toEqual([two.id]);
    const all = { org_id: org.id, limit: 500 };
    expect((await inventory.call(ListScans, all)).data.map(({ account_id }) => account_id)).toEqual([two.id]);
    for (const { cloud_account_id } of (await inventory.call(ListSnapshots, all)).data)
      expect(cloud_account_id).toBe(two.id);
    const left = await inventory.call(GetSource, { org_id: org.id, source_id: jobs.id });
    expect(left).not.toContainKey("cloud_account_id");
    expect(left).toMatchObject({ resource_count: 2, matched_count: 0 });
    expect(
      await failureOf(inventory.call(DeleteAccount, { org_id: org.id, account_id: one.id })),
    ).toMatchObject({
      code: "not_found",
    });
  });

  test("that is deleted leaves what its sources declare to the other accounts", async () => {
    const { org, one, two } = await start();
    await org.pushListing(two, ndjson([group("sg-1")]));
    await org.pushState(await org.source("net", one.id), tfstate([declaredGroup("sg-1")]));
    expect(await matchedIn(org, two)).toEqual([]);
    await inventory.call(DeleteAccount, { org_id: org.id, account_id: one.id });
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect(await postureOf(org, two)).toMatchObject({ matched_count: 1, coverage_pct: 100 });
  });

  test("that is added again under its id starts anew, and what names it is its own again", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("a")]));
    await org.pushListing(one, ndjson([queue("a")]));
    await inventory.call(DeleteAccount, { org_id: org.id, account_id: one.id });
    const again = await org.account("aws", ONE);
    expect(await postureOf(org, again)).toMatchObject({
      live_count: 0,
      missing_count: 0,
      drift_status: "none",
    });
    await org.pushListing(again, ndjson([queue("a")]));
    expect(await matchedIn(org, again)).toEqual([arn("a")]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contracts/contract";
import { NarrateSnapshot } from "@leeway/shared/contracts/analyzer/jobs";
import {
  GetSettings,
  ListNoise,
  type AnalyzerSettings,
  type PlanNoise,
} from "@leeway/shared/contracts/analyzer/noise";
import { DecideDrift, ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { unavailable } from "@leeway/shared/values/errors";
import { testLog } from "@leeway/shared/testing/testing";

import { createNotices } from "../src/notices/notices.ts";
import { newsOfViews } from "../src/views/news.ts";
import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;
const declared = (name: string, attributes: object = {}) => ({
  type: "aws_lambda_function",
  name,
  attributes: { id: name, arn: arnOf(name), timeout: 30, tags_all: {}, tags: {}, ...attributes },
});
const live = (name: string, Timeout: number, tags: Record<string, string> = {}) => ({
  provider_resource_id: arnOf(name),
  provider_type: "AWS::Lambda::Function",
  tags,
  properties: { Timeout, Tags: [] },
});

type Published = Input<typeof PublishNotification>;

/** Fake services on the bus. */
const others: {
  isAway: boolean;
  settings: AnalyzerSettings;
  muted: string[];
  published: Published[];
  narrated: Input<typeof NarrateSnapshot>[];
} = {
  isAway: false,
  settings: {
    risk_profile: "standard",
    comment_min_risk: "low",
    drift_narratives: false,
    comment_decisions: "acknowledge",
  },
  muted: [],
  published: [],
  narrated: [],
};

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
  const log = testLog();
  serve(inventory.bus, {
    service: "webhooks",
    log,
    endpoints: [
      answer(PublishNotification, async (published) => {
        if (others.isAway) throw unavailable("away");
        others.published.push(published);
        return { status: "accepted" as const, messages: 1 };
      }),
    ],
  });
  serve(inventory.bus, {
    service: "analyzer",
    log,
    endpoints: [
      answer(GetSettings, async () => others.settings),
      answer(ListNoise, async () => ({ data: others.muted.map(noise) })),
      answer(NarrateSnapshot, async (asked) => {
        others.narrated.push(asked);
        const created_at = new Date().toISOString();
        const job = { kind: "drift_narrative" as const, status: "queued" as const, created_at };
        return { accepted: true as const, job_id: crypto.randomUUID(), ...job };
      }),
    ],
  });
});
afterAll(() => inventory.stop());
beforeEach(() => {
  Object.assign(others, { isAway: false, muted: [], published: [], narrated: [] });
  others.settings = { ...others.settings, risk_profile: "standard", drift_narratives: false };
});

function noise(fingerprint: string): PlanNoise {
  return {
    fingerprint,
    class: "external_tags",
    resource_type: "aws_lambda_function",
    provider_name: "",
    path_pattern: "",
    title: "",
    confidence: 0.9,
    occurrences: 1,
    projects: [],
    first_seen_at: new Date().toISOString(),
    last_seen_at: new Date().toISOString(),
    sample: { before: null, after: null },
    status: "muted",
  };
}

const permission = (port: number, cidr: string) => ({
  ipProtocol: "tcp",
  fromPort: port,
  toPort: port,
  ipRanges: [cidr],
});

const group = (...ipPermissions: object[]) => ({
  provider_resource_id: `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-1`,
  provider_type: "AWS::EC2::SecurityGroup",
  properties: { ipPermissions, ipPermissionsEgress: [] },
});

/**
 * Creates an account that declares some functions. Returns a helper that pushes a listing and collects the
 * notifications.
 */
async function watched(...names: string[]) {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  await org.pushState(await org.source("main", account.id), tfstate(names.map((name) => declared(name))));
  const list = async (...rows: object[]) => {
    await org.pushListing(account, ndjson(rows));
    return newEvents(org.id);
  };
  return { org, account, list };
}

/** Publishes pending notices until none is left or the service is away. Returns the new events, without duplicates. */
async function newEvents(orgId: string): Promise<Published[]> {
  const { database, bus, test } = inventory;
  const left = () => test.admin`select from inventory.notices where org_id = ${orgId}`;
  do {
    await test.admin`update inventory.notices set next_attempt_at = now()`;
    await createNotices({ database, bus, log: testLog() }, newsOfViews)
      .sweep()
      .catch(() => undefined);
  } while (!others.isAway && (await left()).count > 0);
  const own = others.published.splice(0).filter(({ org_id }) => org_id === orgId);
  return [...new Map(own.map((one) => [one.event.id, one])).values()];
}

/** Waits until no snapshot still needs a narrative. */
async function asked(orgId: string): Promise<void> {
  const left = () =>
    inventory.test.admin`select from inventory.drift_snapshots where org_id = ${orgId} and wordless`;
  while ((await left()).count > 0) await Bun.sleep(10);
}

const typesOf = (published: readonly Published[]): string[] => published.map(({ event }) => event.type);

describe("channels are notified", () => {
  test("of new and resolved drift, and of nothing in between", async () => {
    const { account, list } = await watched("a", "b");
    const first = await list(live("a", 60));
    expect(typesOf(first)).toEqual(["drift.detected"]);
    expect(first[0]).toMatchObject({
      risk_level: "high",
      event: {
        data: {
          cloud_account_id: account.id,
          account_name: account.name ?? account.external_id,
          changed: 1,
          missing: 1,
          undeclared: 0,
          risk_level: "high",
          changes: [
            { kind: "missing", resource: "aws_lambda_function.b", risk_level: "high" },
            { kind: "changed", resource: "aws_lambda_function.a", risk_level: "low" },
          ],
        },
      },
    });
    expect(await list(live("a", 60))).toEqual([]);
    const later = await list(live("a", 90), live("b", 30));
    expect(typesOf(later)).toEqual(["drift.detected", "drift.resolved"]);
    expect(later.map(({ event: { data } }) => [data["changed"], data["missing"]])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(later.map(({ risk_level }) => risk_level)).toEqual(["low", "high"]);
  });

  test("of resolved drift only after its detection was sent, even if that was delayed", async () => {
    const { org, account } = await watched("a");
    const refused = () => inventory.test.admin`
      select from inventory.notices where org_id = ${org.id} and next_attempt_at > now() + interval '10 s'
    `;
    others.isAway = true;
    await org.pushListing(account, ndjson([live("a", 60)]));
    while ((await refused()).count === 0) await Bun.sleep(20);
    await Bun.sleep(100); // until the notice has been refused
    others.isAway = false;
    await org.pushListing(account, ndjson([live("a", 30)]));
    const types = () => typesOf(others.published.filter(({ org_id }) => org_id === org.id));
    while (!types().includes("drift.resolved")) await Bun.sleep(20);
    expect([...new Set(types())]).toEqual(["drift.detected", "drift.resolved"]);
  });

  test("of a worse posture, in risk or in coverage", async () => {
    const { list } = await watched("a", "b");
    await list(live("a", 30), live("b", 30));
    const riskier = await list(live("a", 30));
    expect(typesOf(riskier)).toEqual(["drift.detected", "posture.degraded"]);
    expect(riskier[1]).toMatchObject({
      risk_level: "high",
      event: {
        data: { risk_level: "high", coverage_pct: 100, prior: { risk_level: "none", coverage_pct: 100 } },
      },
    });
    const less = await list(live("a", 30), live("c", 30));
    expect(less[1]?.event).toMatchObject({
      type: "posture.degraded",
      data: { coverage_pct: 50, prior: { coverage_pct: 100 } },
    });
    expect(typesOf(await list(live("a", 30), live("b", 30)))).toEqual(["drift.resolved"]);
  });

  test("of the risk of undeclared resources, which isn't a worse posture", async () => {
    const { list } = await watched("a");
    await list(live("a", 30), group(permission(443, "10.0.0.0/8")));
    expect(await list(live("a", 30), group(permission(22, "0.0.0.0/0")))).toMatchObject([
      {
        risk_level: "critical",
        event: {
          type: "drift.detected",
          data: {
            undeclared: 1,
            risk_level: "critical",
            changes: [
              {
                kind: "undeclared",
                risk_level: "critical",
                resource_type: "AWS::EC2::SecurityGroup",
                message: "Opens port 22 to 0.0.0.0/0",
              },
            ],
          },
        },
      },
    ]);
    expect(await list(live("a", 30), group(permission(22, "0.0.0.0/0")))).toEqual([]);
  });

  test("of nothing that an older version stored without a level", async () => {
    const { org, list } = await watched("a");
    await list(live("a", 30), live("b", 30));
    await inventory.test.admin`
      update inventory.drift_fingerprints set values_hash = '', risk_level = 'none' where org_id = ${org.id}
    `;
    expect(await list(live("a", 30), live("b", 30))).toEqual([]);
  });

  test("of nothing that is ignored", async () => {
    const { org, list } = await watched("a");
    await list(live("a", 60));
    const { data } = await inventory.call(ListDriftChanges, { org_id: org.id, limit: 1 });
    await inventory.call(DecideDrift, {
      org_id: org.id,
      fingerprint: data[0]?.fingerprint ?? "",
      status: "ignored",
      decided_by: { type: "person", id: "ada" },
    });
    expect(await list(live("a", 30))).toEqual([]);
    expect(await list(live("a", 60))).toEqual([]);
    expect(typesOf(await list(live("a", 61)))).toEqual(["drift.detected", "posture.degraded"]);
  });

  test("once they are reachable, with the same event id each time", async () => {
    const { org, account } = await watched("a");
    others.isAway = true;
    await org.pushListing(account, ndjson([live("a", 60)]));
    expect(await newEvents(org.id)).toEqual([]);
    others.isAway = false;
    const kept = await inventory.test.admin`select * from inventory.notices where org_id = ${org.id}`;
    const [first] = await newEvents(org.id);
    // Simulates a process that dies after publishing and before recording it.
    await inventory.test.admin`insert into inventory.notices ${inventory.test.admin([...kept])}`;
    const [again] = await newEvents(org.id);
    expect(again?.event.id).toBe(first?.event.id ?? "");
    expect(await newEvents(org.id)).toEqual([]);
  });
});

describe("a narrative is requested for a snapshot", () => {
  test("with new drift if the organization wants it", async () => {
    others.settings = { ...others.settings, drift_narratives: true };
    const { org, list } = await watched("a");
    await list(live("a", 60));
    await list(live("a", 60));
    await asked(org.id);
    expect(others.narrated).toEqual([
      { org_id: org.id, snapshot_id: expect.any(String), requested_by: { type: "system", id: "inventory" } },
    ]);
  });

  test("only if the organization wants it", async () => {
    const { org, list } = await watched("a");
    await list(live("a", 60));
    await asked(org.id);
    expect(others.narrated).toEqual([]);
  });
});

describe("drift is judged", () => {
  const OPEN = { team: "web", "aws:cloudformation:stack-name": "x" };

  test("with the organization's profile", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    const attributes = { id: "sg-1", arn: `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-1` };
    const rule = { from_port: 443, to_port: 443, protocol: "tcp", self: false, description: "" };
    const lists = { ipv6_cidr_blocks: [], prefix_list_ids: [], security_groups: [] };
    const ingress = [{ ...rule, ...lists, cidr_blocks: ["10.0.0.0/8"] }];
    const resource = {
      type: "aws_security_group",
      name: "web",
      attributes: { ...attributes, ingress, egress: [] },
    };
    await org.pushState(await org.source("main", account.id), tfstate([resource]));
    const opened = group(permission(443, "10.0.0.0/8"), permission(22, "0.0.0.0/0"));
    const levels: string[] = [];
    for (const risk_profile of ["lenient", "standard"] as const) {
      others.settings = { ...others.settings, risk_profile };
      await org.pushListing(account, ndjson([opened]));
      const { data } = await inventory.call(ListDriftChanges, { org_id: org.id, limit: 10 });
      expect(data.map(({ attribute_changes }) => attribute_changes.map(({ path }) => path))).toEqual([
        [["ingress", 1]],
      ]);
      levels.push(data[0]?.risk_level ?? "");
    }
    expect(levels).toEqual(["medium", "critical"]);
  });

  test("without noise, which can be listed separately", async () => {
    const { org, list } = await watched("a");
    expect(await list(live("a", 30, OPEN))).toMatchObject([{ event: { type: "drift.detected" } }]);
    const of = async (noise: "only" | "include" | "exclude") =>
      (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 10, noise })).data;
    const [before] = await of("include");
    others.muted = before?.noise === undefined ? [] : [before.noise.fingerprint];
    await list(live("a", 30, { "aws:cloudformation:stack-name": "x" }));
    expect((await of("only")).map(({ noise }) => noise?.class)).toEqual(["external_tags"]);
    expect(await of("exclude")).toEqual([]);
    expect((await org.posture())[0]).toMatchObject({ risk_level: "none", changed_count: 0 });
  });
});

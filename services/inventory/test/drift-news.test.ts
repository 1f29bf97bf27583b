import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contract";
import { NarrateSnapshot } from "@leeway/shared/contracts/analyzer/jobs";
import {
  GetSettings,
  ListNoise,
  type AnalyzerSettings,
  type PlanNoise,
} from "@leeway/shared/contracts/analyzer/noise";
import { DecideDrift, ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { unavailable } from "@leeway/shared/errors";
import { testLog } from "@leeway/shared/testing";

import { publishNotices } from "../src/notices/notices.ts";
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

/** The other side of the bus, in the test's hands. */
const others: {
  isAway: boolean;
  settings: AnalyzerSettings;
  muted: string[];
  published: Published[];
  narrated: Input<typeof NarrateSnapshot>[];
} = {
  isAway: false,
  settings: { risk_profile: "baseline", comment_min_risk: "low", drift_narratives: false },
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
  others.settings = { ...others.settings, risk_profile: "baseline", drift_narratives: false };
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

/** An account that declares some functions, and waits for what is told after a push. */
async function watched(...names: string[]) {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  await org.pushState(await org.source("main", account.id), tfstate(names.map((name) => declared(name))));
  const list = async (...rows: object[]) => {
    await org.pushListing(account, ndjson(rows));
    return told(org.id);
  };
  return { org, account, list };
}

/** Has told what waits to be told, as long as there is somebody to tell; what came twice came once. */
async function told(orgId: string): Promise<Published[]> {
  const { database, bus, test } = inventory;
  const left = () => test.admin`select from inventory.notices where org_id = ${orgId}`;
  do {
    await test.admin`update inventory.notices set next_attempt_at = now()`;
    await publishNotices({ database, bus, log: testLog() }).catch(() => undefined);
  } while (!others.isAway && (await left()).count > 0);
  const own = others.published.splice(0).filter(({ org_id }) => org_id === orgId);
  return [...new Map(own.map((one) => [one.event.id, one])).values()];
}

/** Waits until nobody has to be asked for words any more. */
async function asked(orgId: string): Promise<void> {
  const left = () =>
    inventory.test.admin`select from inventory.drift_snapshots where org_id = ${orgId} and wordless`;
  while ((await left()).count > 0) await Bun.sleep(10);
}

const typesOf = (published: readonly Published[]): string[] => published.map(({ event }) => event.type);

describe("channels are told", () => {
  test("of drift that is new, of drift that is gone, and of nothing in between", async () => {
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

  test("of what is gone only after they were told that it was there, also where that wasn't taken at once", async () => {
    const { org, account } = await watched("a");
    const refused = () => inventory.test.admin`
      select from inventory.notices where org_id = ${org.id} and next_attempt_at > now() + interval '10 s'
    `;
    others.isAway = true;
    await org.pushListing(account, ndjson([live("a", 60)]));
    while ((await refused()).count === 0) await Bun.sleep(20);
    await Bun.sleep(100); // until it has been refused
    others.isAway = false;
    await org.pushListing(account, ndjson([live("a", 30)]));
    const types = () => typesOf(others.published.filter(({ org_id }) => org_id === org.id));
    while (!types().includes("drift.resolved")) await Bun.sleep(20);
    expect([...new Set(types())]).toEqual(["drift.detected", "drift.resolved"]);
  });

  test("that the posture got worse, in risk or in coverage", async () => {
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

  test("nothing of what somebody ignores", async () => {
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

  test("once they can be reached, under the same id each time", async () => {
    const { org, account } = await watched("a");
    others.isAway = true;
    await org.pushListing(account, ndjson([live("a", 60)]));
    expect(await told(org.id)).toEqual([]);
    others.isAway = false;
    const kept = await inventory.test.admin`select * from inventory.notices where org_id = ${org.id}`;
    const [first] = await told(org.id);
    // A process that dies after the telling and before the note of it.
    await inventory.test.admin`insert into inventory.notices ${inventory.test.admin([...kept])}`;
    const [again] = await told(org.id);
    expect(again?.event.id).toBe(first?.event.id ?? "");
    expect(await told(org.id)).toEqual([]);
  });
});

describe("a snapshot is put into words", () => {
  test("when it has something new and the organization wants it", async () => {
    others.settings = { ...others.settings, drift_narratives: true };
    const { org, list } = await watched("a");
    await list(live("a", 60));
    await list(live("a", 60));
    await asked(org.id);
    expect(others.narrated).toEqual([
      { org_id: org.id, snapshot_id: expect.any(String), requested_by: { type: "system", id: "inventory" } },
    ]);
  });

  test("not when the organization doesn't want it", async () => {
    const { org, list } = await watched("a");
    await list(live("a", 60));
    await asked(org.id);
    expect(others.narrated).toEqual([]);
  });
});

describe("drift is judged", () => {
  const OPEN = { team: "web", "aws:cloudformation:stack-name": "x" };

  test("by the organization's profile", async () => {
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
    const group = {
      provider_resource_id: attributes.arn,
      provider_type: "AWS::EC2::SecurityGroup",
      properties: {
        ipPermissions: [permission(443, "10.0.0.0/8"), permission(22, "0.0.0.0/0")],
        ipPermissionsEgress: [],
      },
    };
    const levels: string[] = [];
    for (const risk_profile of ["baseline", "strict"] as const) {
      others.settings = { ...others.settings, risk_profile };
      await org.pushListing(account, ndjson([group]));
      const { data } = await inventory.call(ListDriftChanges, { org_id: org.id, limit: 10 });
      expect(data.map(({ attribute_changes }) => attribute_changes.map(({ path }) => path))).toEqual([
        [["ingress", 1]],
      ]);
      levels.push(data[0]?.risk_level ?? "");
    }
    expect(levels).toEqual(["medium", "critical"]);
  });

  test("without what is noise, which is listed when it is asked for", async () => {
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

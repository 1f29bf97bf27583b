import { afterAll, describe, expect, test } from "bun:test";

import { corpusFiles, corpusJson, corpusText } from "@leeway/clouds/corpus.fixture";
import { gcp } from "@leeway/clouds/gcp/gcp";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { inTerraformWords } from "./bridged.ts";
import { compareResource } from "./compare-resource.ts";
import { differences, isDrift } from "./corpus.fixture.ts";
import { driftOf } from "./drift-of.ts";
import type { LiveAttributes, LiveProperties } from "./live.ts";
import { pulumiOutputs, pulumiType } from "./pulumi.fixture.ts";

interface Instance {
  type: string;
  attributes: JsonObject;
}

function instancesOf(state: Json): Instance[] {
  return members(isObject(state) ? state : undefined, "resources")
    .filter((resource) => resource["mode"] !== "data")
    .flatMap((resource) =>
      members(resource, "instances").map((instance) => ({
        type: text(resource, "type") ?? "",
        attributes: member(instance, "attributes") ?? {},
      })),
    );
}

const PAIR = /^state ↔ live resources\t(\S+)\t(\S+)\t\d+\t([a-z\d_,]+):/gm;

interface Pair extends Instance {
  key: string;
  live: JsonObject;
}

const pairs: Pair[] = corpusFiles("PAIRS.tsv").flatMap((path) =>
  [...corpusText(path).matchAll(PAIR)].flatMap(([, state = "", live = "", types = ""]) => {
    const listed = corpusJson(live);
    const reads = Array.isArray(listed) ? listed.filter(isObject) : [];
    return instancesOf(corpusJson(state))
      .filter(({ type }) => types.split(",").includes(type))
      .flatMap(({ type, attributes }) => {
        const id = text(attributes, "id");
        const same = reads.filter((read) => id !== undefined && text(read, "id") === id);
        return same.map((read) => ({ key: [state, live, type, id].join(" "), type, attributes, live: read }));
      });
  }),
);

const comparedOf = ({ type, attributes, live }: Pair) => ({
  type,
  address: `${type}.main`,
  declared: attributes,
  live: { attributes: live },
});

describe.skipIf(!hasCorpus)("states and live reads (skipped without the collection of real data)", () => {
  const found = new Set(
    pairs.flatMap((pair) =>
      compareResource(comparedOf(pair)).changes.map(({ path }) => `${pair.key} ${String(path[0])}`),
    ),
  );

  test("number at least 115 pairs with 197 differences", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(115);
    expect(differences.length).toBe(197);
  });

  test("differ exactly where the table lists drift", () => {
    const drifted = new Set(differences.filter(isDrift).map(({ key }) => key));
    expect(found.difference(drifted)).toEqual(new Set());
    expect(drifted.difference(found)).toEqual(new Set());
    expect(drifted.size).toBe(51);
  });

  afterAll(async () => {
    const lines = [...Map.groupBy(differences, (one) => one.class)].map(([kind, rows]) => {
      const right = rows.filter((row) => found.has(row.key) === isDrift(row)).length;
      const shown = rows.filter((row) => found.has(row.key)).length;
      return `${kind}\t${rows.length}\t${shown}\t${(right / rows.length).toFixed(2)}`;
    });
    const drifted = differences.filter(isDrift);
    const right = drifted.filter(({ key }) => found.has(key)).length;
    lines.push(`precision ${(right / found.size).toFixed(2)}, recall ${(right / drifted.length).toFixed(2)}`);
    await Bun.write(Bun.stdout, ["class\tin the table\treported\tright", ...lines, ""].join("\n"));
  });

  test("report a critical change for a rule opened to the internet", () => {
    const group = pairs.find(({ type }) => type === "aws_security_group");
    if (group === undefined) throw new Error("the collection has a security group");
    const { ingress } = group.attributes;
    const [first] = Array.isArray(ingress) ? ingress.filter(isObject) : [];
    const rule = { ...first, cidr_blocks: ["10.0.0.0/8"], from_port: 443, to_port: 443, protocol: "tcp" };
    const opened = { ...rule, cidr_blocks: ["0.0.0.0/0"], from_port: 22, to_port: 22 };
    const declared = { ...group.attributes, ingress: [rule] };
    const { drift } = driftOf(
      comparedOf({ ...group, attributes: declared, live: { ...declared, ingress: [rule, opened] } }),
      { profile: "standard" },
    );
    expect(drift?.attribute_changes.map(({ path }) => path)).toEqual([["ingress", 1]]);
    expect(drift?.risk_level).toBe("critical");
  });

  test.each([true, false])(
    "have no additional differences as Pulumi state, single-item lists flattened: %p",
    (flat) => {
      const reported = pairs.flatMap((pair) =>
        bridged(pair, flat, { attributes: pair.live }).changes.map(
          ({ path }) => `${pair.key} ${String(path[0])}`,
        ),
      );
      expect(new Set(reported).difference(found)).toEqual(new Set());
      expect(reported.length).toBeGreaterThanOrEqual(1);
    },
  );

  test("don't differ from themselves", () => {
    for (const { type, attributes } of pairs) {
      const self = { type, address: "x", declared: attributes, live: { attributes } };
      expect([type, compareResource(self).changes]).toEqual([type, []]);
    }
  });
});

/** Compares a pair whose state is converted to Pulumi's format. */
function bridged({ type, attributes }: Instance, flat: boolean, live: LiveProperties | LiveAttributes) {
  const outputs = pulumiOutputs(attributes, { flat });
  const given = inTerraformWords({ type: pulumiType(type), attributes: outputs });
  return compareResource({ type: given.type, address: "x", declared: given.attributes, live });
}

/** Plans for Google resources, with the assets that they would create. */
const planned = corpusFiles("PAIRS.tsv").flatMap((path) =>
  [...corpusText(path).matchAll(/^plan → assets\t(\S+)\t(\S+)/gm)].flatMap(([, plan = "", assets = ""]) =>
    plannedIn(readable(plan), readable(assets)),
  ),
);

/** Parses a file. Some files aren't JSON, but templates. */
function readable(path: string): Json {
  try {
    return corpusJson(path);
  } catch {
    return null;
  }
}

function plannedIn(plan: Json, assets: Json): { type: string; declared: JsonObject; data: JsonObject }[] {
  const listed = Array.isArray(assets) ? assets.filter(isObject) : [];
  return members(isObject(plan) ? plan : undefined, "resource_changes").flatMap((resource) => {
    const type = text(resource, "type") ?? "";
    const declared = member(member(resource, "change"), "after");
    const datas = listed
      .filter((asset) => gcp.catalog.byType(text(asset, "asset_type") ?? "")?.terraform.includes(type))
      .map((asset) => member(member(asset, "resource"), "data"));
    const named = datas.filter((data) => data?.["name"] === declared?.["name"]);
    const [data] = named.length > 0 ? named : datas;
    const isOne = Math.max(named.length, 1) === 1 && (named.length === 1 || datas.length === 1);
    return declared && data && isOne ? [{ type, declared, data }] : [];
  });
}

describe.skipIf(!hasCorpus)(
  "plans and the assets they create (skipped without the collection of real data)",
  () => {
    test("don't differ in at least 40 types", () => {
      const results = planned.map(({ type, declared, data }) => ({
        type,
        ...compareResource({ type, address: "x", declared, live: { properties: data } }),
      }));
      expect(results.flatMap(({ type, changes }) => changes.map(({ path }) => [type, ...path]))).toEqual([]);
      const checked = results.filter((one) => one.checked);
      expect(new Set(checked.map(({ type }) => type)).size).toBeGreaterThanOrEqual(40);
      expect(checked.length).toBeGreaterThanOrEqual(80);
    });

    test.each([true, false])("don't differ as Pulumi state, single-item lists flattened: %p", (flat) => {
      const results = planned.map(({ type, declared, data }) => ({
        type,
        ...bridged({ type, attributes: declared }, flat, { properties: data }),
      }));
      expect(results.flatMap(({ type, changes }) => changes.map(({ path }) => [type, ...path]))).toEqual([]);
      expect(results.filter((one) => one.checked).length).toBeGreaterThanOrEqual(80);
    });
  },
);

const trusts = (service: string) => ({
  Path: "/",
  AssumeRolePolicyDocument: {
    Statement: [{ Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: service }, Sid: "" }],
    Version: "2012-10-17",
  },
});

const STACK = "terraform-states/pulumi/checkpoint-v3.excerpt.json";

describe.skipIf(!hasCorpus)("a Pulumi stack (skipped without the collection of real data)", () => {
  const stack = corpusFiles(STACK).flatMap((path) => {
    const document = corpusJson(path);
    const checkpoint = member(isObject(document) ? document : undefined, "checkpoint");
    return members(member(checkpoint, "latest"), "resources");
  });
  const declared = (name: string) => {
    const resource = stack.find((row) => text(row, "urn")?.endsWith(`::${name}`) && row["custom"] === true);
    return inTerraformWords({
      type: text(resource, "type") ?? "",
      attributes: member(resource, "outputs") ?? {},
    });
  };
  const changesOf = (name: string, properties: JsonObject) => {
    const { type, attributes } = declared(name);
    const { checked, changes } = compareResource({
      type,
      address: "x",
      declared: attributes,
      live: { properties },
    });
    expect(checked).toBe(true);
    return changes.map(({ path }) => path.join("."));
  };
  const role = "countDown_watcher-iamrole";
  test("differs only when a role trusts another service", () => {
    expect(changesOf(role, trusts("lambda.amazonaws.com"))).toEqual([]);
    expect(changesOf(role, trusts("ec2.amazonaws.com"))).not.toEqual([]);
  });

  test("differs when a topic has another display name", () => {
    expect(changesOf("countDown", { DisplayName: "" })).toEqual([]);
    expect(changesOf("countDown", { DisplayName: "another" })).toEqual(["display_name"]);
  });
});

import { afterAll, describe, expect, test } from "bun:test";

import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/json";

import { corpusFiles, corpusJson, corpusText, hasCorpus } from "../../clouds/corpus.fixture.ts";
import { gcp } from "../../clouds/gcp/gcp.ts";
import { compareResource } from "./compare-resource.ts";
import { differences, isDrift } from "./corpus.fixture.ts";
import { driftOf } from "./drift-of.ts";

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

  test("are many", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(115);
    expect(differences.length).toBe(197);
  });

  test("differ exactly where the table says that something drifted", () => {
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

  test("differ where one was changed by hand, and the change is as bad as it is", () => {
    const group = pairs.find(({ type }) => type === "aws_security_group");
    if (group === undefined) throw new Error("the collection has a security group");
    const { ingress } = group.attributes;
    const [first] = Array.isArray(ingress) ? ingress.filter(isObject) : [];
    const rule = { ...first, cidr_blocks: ["10.0.0.0/8"], from_port: 443, to_port: 443, protocol: "tcp" };
    const opened = { ...rule, cidr_blocks: ["0.0.0.0/0"], from_port: 22, to_port: 22 };
    const declared = { ...group.attributes, ingress: [rule] };
    const { drift } = driftOf(
      comparedOf({ ...group, attributes: declared, live: { ...declared, ingress: [rule, opened] } }),
      { profile: "strict" },
    );
    expect(drift?.attribute_changes.map(({ path }) => path)).toEqual([["ingress", 1]]);
    expect(drift?.risk_level).toBe("critical");
  });

  test("have the same attributes when compared with themselves", () => {
    for (const { type, attributes } of pairs) {
      const self = { type, address: "x", declared: attributes, live: { attributes } };
      expect([type, compareResource(self).changes]).toEqual([type, []]);
    }
  });
});

/** Plans of Google resources with the assets that they would make. */
const planned = corpusFiles("PAIRS.tsv").flatMap((path) =>
  [...corpusText(path).matchAll(/^plan → assets\t(\S+)\t(\S+)/gm)].flatMap(([, plan = "", assets = ""]) =>
    plannedIn(readable(plan), readable(assets)),
  ),
);

/** Some of these files aren't JSON: their authors' templates. */
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
  "plans and the assets they make (skipped without the collection of real data)",
  () => {
    test("don't differ, in 40 types and more", () => {
      const results = planned.map(({ type, declared, data }) => ({
        type,
        ...compareResource({ type, address: "x", declared, live: { properties: data } }),
      }));
      expect(results.flatMap(({ type, changes }) => changes.map(({ path }) => [type, ...path]))).toEqual([]);
      const checked = results.filter((one) => one.checked);
      expect(new Set(checked.map(({ type }) => type)).size).toBeGreaterThanOrEqual(40);
      expect(checked.length).toBeGreaterThanOrEqual(80);
    });
  },
);

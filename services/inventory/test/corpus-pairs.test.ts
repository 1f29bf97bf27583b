import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { cloudOfType } from "@leeway/clouds/clouds";
import { corpusFiles, corpusJson, corpusText } from "@leeway/clouds/corpus.fixture";
import { isComparable } from "@leeway/drift/comparable-attributes";
import { differences, isDrift } from "@leeway/drift/corpus.fixture";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, member, members, text } from "@leeway/shared/values/json";

import { ndjson, newOrg, startInventory, type TestInventory } from "./kit.ts";

const LINE =
  /^state ↔ live resources\t(\S+)\t(\S+)\t\d+\t([a-z\d_,]+): (\d+) matched by id, (\d+) only in the state, (\d+) only live/gm;

interface CorpusPair {
  name: string;
  state: string;
  live: string;
  types: string[];
  counts: { matched: number; missing: number; undeclared: number };
  why?: string;
}

/** Corrections to the table, which compares only ids, each with its reason. */
const TABLE_IS_WRONG: Record<string, Required<Pick<CorpusPair, "why" | "types" | "counts">>> = {
  aws_lambda_function_signed: {
    why: "the ARNs of both functions named foo are of different accounts, and the declared one's isn't connected",
    types: ["aws_lambda_function"],
    counts: { matched: 0, missing: 0, undeclared: 1 },
  },
  aws_s3_bucket_multiple: {
    why: "the one live resource is a bucket; its policy, which has the same id, was not listed",
    types: ["aws_s3_bucket"],
    counts: { matched: 1, missing: 2, undeclared: 0 },
  },
  aws_vpc_security_group_rule_multiple: {
    why: "the state has an id of its own making for each rule, which no cloud lists: nobody can see that one is gone",
    types: ["aws_security_group_rule"],
    counts: { matched: 1, missing: 0, undeclared: 10 },
  },
};

const pairs: CorpusPair[] = corpusFiles("PAIRS.tsv").flatMap((path) =>
  [...corpusText(path).matchAll(LINE)].map(([, state = "", live = "", types = "", ...counts]) => {
    const name = live.split("/").at(-2) ?? live;
    return {
      name,
      state,
      live,
      types: types.split(","),
      counts: { matched: Number(counts[0]), missing: Number(counts[1]), undeclared: Number(counts[2]) },
      ...TABLE_IS_WRONG[name],
    };
  }),
);

interface Row {
  provider_resource_id: string;
  provider_type: string;
}

const named = ({ provider_type, provider_resource_id }: Row): string =>
  `${provider_type} ${provider_resource_id}`;

/** Returns the live side in Leeway's own format, with ids and attributes unchanged. */
function rowsOf({ live, types }: CorpusPair): Row[] {
  const listed = corpusJson(live);
  return (Array.isArray(listed) ? listed.filter(isObject) : []).flatMap((properties) =>
    types.map((type) => ({
      provider_resource_id: text(properties, "id") ?? "",
      provider_type: type,
      terraform_type: type,
      properties,
    })),
  );
}

/** Returns the state's managed instances of the types that the table compares. */
function declaredOf({ state, types }: CorpusPair): Set<string> {
  const document = corpusJson(state);
  const resources = members(isObject(document) ? document : undefined, "resources");
  const instances = resources
    .filter(
      (resource) => text(resource, "mode") === "managed" && types.includes(text(resource, "type") ?? ""),
    )
    .flatMap((resource) =>
      members(resource, "instances").map((instance) => ({
        provider_type: text(resource, "type") ?? "",
        provider_resource_id: text(member(instance, "attributes"), "id") ?? "",
      })),
    );
  return new Set(instances.map(named));
}

function providerOf([type = ""]: string[]): string {
  if (type.startsWith("azurerm_")) return "azure";
  return type.startsWith("google_") ? "gcp" : (type.split("_")[0] ?? "");
}

const ACCOUNT_IN: Record<string, RegExp> = {
  aws: /arn:aws:[a-z0-9-]*:[a-z0-9-]*:(\d{12}):/,
  azure: /\/subscriptions\/([0-9a-f-]{36})\//,
  gcp: /\bprojects\/([^/"]+)\//,
};

/** Returns the account in the live ids, otherwise the one in the state. */
function accountOf(pair: CorpusPair): string {
  const pattern = ACCOUNT_IN[providerOf(pair.types)] ?? /$^/;
  const texts = [JSON.stringify(rowsOf(pair)), corpusText(pair.state)];
  return (
    texts.map((some) => pattern.exec(some)?.[1]).find((account) => account !== undefined) ?? "123456789012"
  );
}

const report: string[] = ["pair\tmatched\tundeclared\tmissing\tprecision\trecall\twhere the table is wrong"];

/** Attributes that no cloud lists as a setting. A state keeps none of them. */
const NOT_STORED: ReadonlySet<string> = new Set([
  "aws_dynamodb_table replica",
  "aws_dynamodb_table stream_label",
  "aws_instance instance_state",
  "aws_key_pair fingerprint",
  "aws_launch_template credit_specification",
]);

describe.skipIf(!hasCorpus)(
  "a recorded state and listing of one account (skipped without LEEWAY_CORPUS)",
  () => {
    let inventory: TestInventory;
    beforeAll(async () => {
      inventory = await startInventory();
    });
    afterAll(async () => {
      await inventory.stop();
      await Bun.write("reports/corpus-pairs.tsv", `${report.join("\n")}\n`);
    });

    test("include every pair in the table", () => {
      expect(pairs.length).toBe(57);
    });

    const drifted = new Set<string>();
    const driftOf = async (org_id: string) =>
      (await inventory.call(ListDriftChanges, { org_id, limit: 500, kind: "changed", noise: "include" }))
        .data;

    test.each(pairs)("$name", async (pair) => {
      const org = newOrg(inventory);
      const account = await org.account(providerOf(pair.types), accountOf(pair));
      await org.pushState(await org.source(pair.name, account.id), corpusText(pair.state));
      await org.pushListing(account, ndjson(rowsOf(pair)));

      for (const { resource_type, provider_resource_id, attribute_changes } of await driftOf(org.id)) {
        for (const { path } of attribute_changes) {
          drifted.add([pair.state, pair.live, resource_type, provider_resource_id, path[0]].join(" "));
        }
      }

      const declared = declaredOf(pair);
      const live = rowsOf(pair).map(named).toSorted();
      const matched = (await org.resources({ match: "matched" })).map(named).toSorted();
      const undeclared = (await org.resources({ match: "undeclared" })).map(named).toSorted();
      const missing = (await org.declared({ match: "missing" })).filter(({ type }) =>
        pair.types.includes(type),
      );

      const right = matched.filter((id) => declared.has(id)).length;
      const precision = matched.length === 0 ? 1 : right / matched.length;
      const recall = pair.counts.matched === 0 ? 1 : right / pair.counts.matched;
      const counts = { matched: matched.length, undeclared: undeclared.length, missing: missing.length };
      report.push(
        [pair.name, ...Object.values(counts), precision.toFixed(2), recall.toFixed(2), pair.why ?? ""].join(
          "\t",
        ),
      );

      expect(counts).toEqual(pair.counts);
      if (pair.why !== undefined) return;
      expect(matched).toEqual(live.filter((id) => declared.has(id)));
      expect(undeclared).toEqual(live.filter((id) => !declared.has(id)));
    });

    test("have drift exactly where expected, as far as the type is known", async () => {
      const apart = pairs.filter(({ why }) => why !== undefined);
      const judged = differences.filter(
        ({ key, type }) =>
          !apart.some(
            ({ state, live, types, counts }) =>
              key.startsWith(`${state} ${live} `) && (counts.matched === 0 || !types.includes(type)),
          ),
      );
      const checked = judged.filter(({ type }) => isComparable(type, cloudOfType(type)));
      const stored = checked.filter(({ type, attribute }) => !NOT_STORED.has(`${type} ${attribute}`));
      const expected = new Set(stored.filter(isDrift).map(({ key }) => key));
      expect(drifted.difference(expected)).toEqual(new Set());
      expect(expected.difference(drifted)).toEqual(new Set());
      expect(expected.size).toBeGreaterThanOrEqual(30);
      const lines = [...Map.groupBy(judged, (one) => one.class)].map(([kind, rows]) => {
        const ofKnown = rows.filter((row) => checked.includes(row));
        const right = ofKnown.filter((row) => drifted.has(row.key) === isDrift(row)).length;
        const reported = rows.filter((row) => drifted.has(row.key)).length;
        return [kind, rows.length, rows.length - ofKnown.length, reported, right].join("\t");
      });
      const all = judged.filter(isDrift).length;
      lines.push(
        `drift: ${drifted.size} reported, all of them right; ${expected.size} expected of known types, ${all} of all`,
      );
      const head = "class\tin the table\tof types that nothing is known of\treported\tright of the known";
      await Bun.write("reports/corpus-drift.tsv", [head, ...lines, ""].join("\n"));
    });
  },
);

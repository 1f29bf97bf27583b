import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, type Json, type JsonObject, members, text } from "@leeway/shared/values/json";

import type { DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { aws } from "./aws.ts";

const unless = hasCorpus ? "" : ` (skipped: no corpus at ${CORPUS})`;

function load(path: string): Json {
  const parsed: Json = JSON.parse(readFileSync(join(CORPUS, path), "utf8"));
  return parsed;
}

function files(folder: string): string[] {
  return existsSync(join(CORPUS, folder))
    ? readdirSync(join(CORPUS, folder)).map((file) => `${folder}/${file}`)
    : [];
}

/** Returns a listing's pages; some recordings keep the answer in `data`. */
function pages(path: string): JsonObject[] {
  const document = load(path);
  const answer = isObject(document) && isObject(document["data"]) ? document["data"] : document;
  return (Array.isArray(answer) ? answer : [answer]).filter(isObject);
}

function rowsOf(page: JsonObject, path: readonly string[]): Json[] | undefined {
  if (path.length === 0) return [page];
  const rows = page[path[0] ?? ""];
  return Array.isArray(rows) ? rows : undefined;
}

/** Returns the rows of a page as read by each format that accepts it. */
function readings(page: JsonObject): (ListedResource[] | null)[][] {
  return aws.formats.flatMap((format) => {
    const rows = rowsOf(page, format.rows)?.map((row) => format.read(row, page));
    return rows === undefined || (format.rows.length === 0 && rows[0] === null) ? [] : [rows];
  });
}

const LISTING =
  /config\.(?:SelectResourceConfig|GetResourceConfigHistory|ListDiscoveredResources)|tagging\.GetResources|cloudcontrolapi\.(?:ListResources|GetResource)_|cloudcontrol--(?:list-resources|get-resource)\.|configservice--list-discovered|resourcegroupstaggingapi--get-resources|resource-groups--(?:list-group-resources|search-resources--2)/;
// Queries that select no ARN, type or id, so their rows identify no resource.
const ANONYMOUS = /test_s3_metrics_user_dims|test_security_group_|test_codebuild_config/;

describe.skipIf(unless !== "")(`the corpus's AWS files${unless}`, () => {
  const all = [...files("live-listings/cloud-custodian-aws"), ...files("live-listings/aws-cli-examples")];

  test.each(all.filter((path) => LISTING.test(path) && !ANONYMOUS.test(path)))(
    "every row of %s is read",
    (path) => {
      for (const page of pages(path)) {
        const [rows, ...others] = readings(page);
        expect(others).toEqual([]);
        for (const row of rows ?? [null]) {
          expect(row).not.toBeNull();
          for (const resource of row ?? []) {
            expect(aws.catalog.byType(resource.provider_type)?.type).toBe(resource.provider_type);
            expect(aws.liveKeys(resource, "123456789012")).not.toEqual([]);
          }
        }
      }
    },
  );

  test.each(all.filter((path) => !LISTING.test(path) || ANONYMOUS.test(path)))(
    "%s is refused with its name",
    (path) => {
      for (const page of pages(path)) {
        expect(
          readings(page)
            .flat()
            .filter((row) => row !== null),
        ).toEqual([]);
        expect(aws.knownDocuments.find((known) => known.matches(page))?.name).toBeString();
      }
    },
  );
});

/** Returns the managed resources of a Terraform state, version 4. */
function readState(path: string): DeclaredResource[] {
  const state = load(path);
  if (!isObject(state) || state["version"] !== 4) return [];
  return members(state, "resources").flatMap((resource) => {
    const type = text(resource, "type") ?? "";
    if (resource["mode"] !== "managed") return [];
    return members(resource, "instances").map((instance, index) => ({
      address: `${type}.${text(resource, "name")}[${index}]`,
      type,
      attributes: isObject(instance["attributes"]) ? instance["attributes"] : {},
    }));
  });
}

const states = files("terraform-states/driftctl").map((folder) => `${folder}/terraform.tfstate`);
// Types of a fictional provider, in states that test unknown types.
const NO_CLOUD_RESOURCES = new Set(["aws_managed_resource", "aws_unmanaged_resource"]);

describe.skipIf(unless !== "")(`the corpus's states${unless}`, () => {
  const declared = states
    .filter((path) => existsSync(join(CORPUS, path)))
    .flatMap(readState)
    .filter(({ type }) => aws.declares(type));

  test("contain only AWS types of the catalog", () => {
    const unknown = declared
      .map(({ type }) => type)
      .filter((type) => aws.catalog.byTerraform(type) === undefined);
    expect(unknown.filter((type) => !NO_CLOUD_RESOURCES.has(type))).toEqual([]);
    expect(declared.length).toBeGreaterThan(100);
  });

  test("contain only resources that can be identified", () => {
    expect(declared.filter((resource) => aws.declaredIdentity(resource).keys.length === 0)).toEqual([]);
  });

  test("of Pulumi contain only known types", () => {
    const checkpoint = readFileSync(
      join(CORPUS, "terraform-states/pulumi/checkpoint-v3.excerpt.json"),
      "utf8",
    );
    const types = [...checkpoint.matchAll(/"type": "(aws:[^"]+)"/g)].map(([, type = ""]) => type);
    const keys = types.flatMap(
      (type) => aws.declaredIdentity({ address: "x", type, attributes: { id: "x" } }).keys,
    );
    expect(types.length).toBeGreaterThan(4);
    expect(keys.filter((key) => !/^3:aws_[a-z0-9_]+\|x$/.test(key))).toEqual([]);
  });
});

/** Joins as the store does: level by level, by keys that are unique among the unmatched resources of both sides. */
function joinByKeys(declared: readonly MatchKey[][], live: readonly MatchKey[][]): Map<number, number> {
  const matched = new Map<number, number>();
  for (const level of ["1", "2", "3", "4"]) {
    const taken = new Set(matched.values());
    const ours = unique(declared, level, (index) => !matched.has(index));
    const theirs = unique(live, level, (index) => !taken.has(index));
    for (const [key, index] of ours) {
      const other = theirs.get(key);
      if (other !== undefined && !matched.has(index)) matched.set(index, other);
    }
  }
  return matched;
}

function unique(
  sides: readonly MatchKey[][],
  level: string,
  isLeft: (index: number) => boolean,
): Map<string, number> {
  const owners = new Map<string, number[]>();
  for (const [index, keys] of sides.entries()) {
    for (const key of keys)
      if (key.startsWith(level) && isLeft(index)) owners.set(key, [...(owners.get(key) ?? []), index]);
  }
  return new Map(
    [...owners].flatMap(([key, [index, ...more]]) =>
      index === undefined || more.length > 0 ? [] : [[key, index]],
    ),
  );
}

function pairs(): { state: string; live: string; type: string; counts: number[] }[] {
  if (unless !== "") return [];
  return readFileSync(join(CORPUS, "PAIRS.tsv"), "utf8")
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([kind, , , , note]) => kind === "state ↔ live resources" && note?.startsWith("aws_"))
    .map(([, state = "", live = "", , note = ""]) => ({
      state,
      live,
      type: note.slice(0, note.indexOf(":")),
      counts: [...note.matchAll(/(\d+) (?:matched|only)/g)].map(([, count]) => Number(count)),
    }));
}

describe.skipIf(unless !== "")(`the corpus's pairs of a state and live resources${unless}`, () => {
  // The live file contains one bucket. The table also counts it for the bucket's policy, which has the same id.
  const TWO_TYPES = "aws_s3_bucket,aws_s3_bucket_policy";

  test.each(
    pairs()
      .filter(({ type }) => type !== TWO_TYPES)
      .map((pair) => [`${pair.state} ↔ ${pair.live}`, pair] as const),
  )("%s match as the table says", (_, { state, live, type, counts }) => {
    const declared = readState(state).filter((resource) => resource.type === type);
    const rows = load(live);
    const listed = (Array.isArray(rows) ? rows : []).filter(isObject).map((row) => text(row, "id") ?? "");
    const matched = joinByKeys(
      declared.map((resource) => aws.declaredIdentity(resource).keys),
      listed.map((id) => ownFormat(id, type)),
    );
    expect([matched.size, declared.length - matched.size, listed.length - matched.size]).toEqual(counts);
    for (const [ours, theirs] of matched) expect(text(declared[ours]?.attributes, "id")).toBe(listed[theirs]);
  });

  test("a live bucket matches the bucket, not its policy", () => {
    const pair = pairs().find(({ type }) => type === TWO_TYPES);
    const declared = readState(pair!.state).filter(({ type }) => TWO_TYPES.split(",").includes(type));
    const keys = declared.map((resource) => aws.declaredIdentity(resource).keys);
    const matched = joinByKeys(keys, [ownFormat("bucket-martin-test-drift2", "aws_s3_bucket")]);
    expect([...matched.keys()].map((index) => declared[index]?.type)).toEqual(["aws_s3_bucket"]);
  });

  test("number as many as in the table", () => {
    expect(pairs()).toHaveLength(42);
  });
});

function ownFormat(id: string, terraform_type: string): MatchKey[] {
  return aws.liveKeys(
    { provider_resource_id: id, provider_type: terraform_type, terraform_type, complete: false },
    "123456789012",
  );
}

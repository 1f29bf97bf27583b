import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, type Json, type JsonObject, member, members, text } from "@leeway/shared/values/json";

import type { DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { gcp } from "./gcp.ts";

const suite = hasCorpus ? describe : describe.skip;
const NAME = `the corpus of real data${hasCorpus ? "" : ` (skipped: there is none at ${CORPUS}; set LEEWAY_CORPUS)`}`;

/** Data sources in the corpus. */
const DATA_SOURCES = ["google_iam_policy"];

function filesUnder(folder: string): string[] {
  return readdirSync(join(CORPUS, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(folder, path),
  );
}

function content(path: string): string {
  return readFileSync(join(CORPUS, path), "utf8");
}

function parse(json: string): Json {
  const value: Json = JSON.parse(json);
  return value;
}

function rowsOf(path: string): Json[] {
  if (!path.endsWith(".ndjson")) return [parse(content(path))].flat();
  return content(path)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parse(line));
}

function read(row: Json): ListedResource[] | null {
  return gcp.formats.map((format) => format.read(row, {})).find((found) => found !== null) ?? null;
}

/** Returns managed resources of a state, version 4; none for other files. */
function declaredIn(path: string): DeclaredResource[] {
  const state = parse(content(path));
  if (!isObject(state) || state["version"] !== 4) return [];
  return members(state, "resources").flatMap((resource) => {
    const type = text(resource, "type") ?? "";
    const instances = text(resource, "mode") === "managed" ? members(resource, "instances") : [];
    return instances.map((instance) => ({
      address: `${type}.${text(resource, "name")}`,
      type,
      attributes: member(instance, "attributes") ?? {},
    }));
  });
}

function statesUnder(folder: string): string[] {
  return filesUnder(folder).filter((path) => path.endsWith(".tfstate") && !path.includes("/invalid/"));
}

/** Returns the provider's reads of live resources as rows of Leeway's own format. */
function providerRead(path: string, terraform_type: string): ListedResource[] {
  return [parse(content(path))]
    .flat()
    .filter(isObject)
    .map((resource) => ({
      provider_resource_id: text(resource, "id") ?? "",
      provider_type: "read by the provider",
      terraform_type,
      complete: false,
    }));
}

interface Keyed {
  id: string;
  keys: MatchKey[];
}

/** Joins level by level. A key joins only if it is unique on both sides among the unmatched resources. */
function joined(live: readonly Keyed[], declared: readonly Keyed[]): [string, string][] {
  const pairs = new Map<string, string>();
  for (const level of ["1:", "2:", "3:", "4:"]) {
    const matched = new Set(pairs.values());
    const lives = byKey(
      live.filter(({ id }) => !pairs.has(id)),
      level,
    );
    const states = byKey(
      declared.filter(({ id }) => !matched.has(id)),
      level,
    );
    for (const [key, id] of lives) {
      const state = states.get(key);
      if (id !== "" && state) pairs.set(id, state);
    }
  }
  return [...pairs];
}

/** Returns the owner of each key of a level; an empty text if two share it. */
function byKey(side: readonly Keyed[], level: string): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { id, keys } of side) {
    for (const key of keys) if (key.startsWith(level)) owners.set(key, owners.has(key) ? "" : id);
  }
  return owners;
}

suite(NAME, () => {
  const listings = hasCorpus
    ? ["live-listings/forseti", "live-listings/terraform-validator"].flatMap(filesUnder)
    : [];

  test.each(listings)("%s: every row is read and has a known type", (path) => {
    for (const row of rowsOf(path)) {
      const resources = read(row);
      expect(resources).not.toBeNull();
      const hasResource = isObject(row) && row["resource"] !== undefined;
      expect(resources?.length).toBe(hasResource ? 1 : 0);
      for (const resource of resources ?? []) {
        expect(gcp.catalog.byType(resource.provider_type)?.type).toBe(resource.provider_type);
        expect(gcp.liveKeys(resource, "project1").length).toBeGreaterThan(0);
      }
    }
  });

  test("responses of other clouds are refused", () => {
    const folders = ["aws-cli-examples", "azure-resource-graph"].map((name) => `live-listings/${name}`);
    const paths = folders.flatMap(filesUnder).filter((path) => path.endsWith(".json"));
    expect(paths.length).toBeGreaterThan(0);
    for (const row of paths.flatMap(rowsOf)) expect(read(row)).toBeNull();
  });

  test("resources read by Terraform's provider aren't a listing", () => {
    const paths = filesUnder("live-listings/driftctl").filter((path) =>
      /\/google_.*\/live\.json$/.test(path),
    );
    expect(paths.length).toBeGreaterThan(0);
    for (const row of paths.flatMap(rowsOf)) expect(read(row)).toBeNull();
  });

  test("every Google type in a plan is in the catalog", () => {
    const plans = filesUnder("terraform-plans").filter((path) => path.endsWith(".json"));
    const types = new Set(
      plans.flatMap((path) => content(path).match(/(?<="type": ?")google_\w+(?=")/g) ?? []),
    );
    expect(types.size).toBeGreaterThan(40);
    const unknown = [...types].filter((type) => gcp.catalog.byTerraform(type) === undefined);
    expect(unknown).toEqual(DATA_SOURCES);
  });

  test("every Google type in a state is in the catalog, and every resource has keys", () => {
    const states = statesUnder("terraform-states").flatMap(declaredIn);
    const google = states.filter(({ type }) => gcp.declares(type));
    expect(google.length).toBeGreaterThan(30);
    for (const resource of google) {
      expect(gcp.catalog.byTerraform(resource.type)?.terraform).toContain(resource.type);
      expect(gcp.declaredIdentity(resource).keys.length).toBeGreaterThan(0);
    }
  });

  const PAIR =
    /^state ↔ live resources\t(\S+)\t(\S+)\t(\d+)\t(google_\w+): (\d+) matched by id, (\d+) only in the state, (\d+) only live/;
  const pairs = hasCorpus
    ? content("PAIRS.tsv")
        .split("\n")
        .flatMap((line) => {
          const [, state = "", live = "", , type = "", ...counts] = PAIR.exec(line) ?? [];
          return state === "" ? [] : [{ state, live, type, counts: counts.map(Number) }];
        })
    : [];

  test("include pairs of a state and a Google Cloud listing", () => {
    expect(pairs.length).toBeGreaterThan(0);
  });

  test.each(pairs)("$state matches $live as in the table", ({ state, live, type, counts }) => {
    const lives = providerRead(live, type).map((resource) => ({
      id: resource.provider_resource_id,
      keys: gcp.liveKeys(resource, "any"),
    }));
    const states = declaredIn(state)
      .filter((resource) => resource.type === type)
      .map((resource) => ({
        id: text(resource.attributes, "id") ?? "",
        keys: gcp.declaredIdentity(resource).keys,
      }));
    const found = joined(lives, states);
    expect([found.length, states.length - found.length, lives.length - found.length]).toEqual(counts);
    for (const [one, other] of found) expect(one).toBe(other);
  });

  const plans = hasCorpus
    ? filesUnder("terraform-plans/terraform-validator").filter((path) => path.endsWith(".tfplan.json"))
    : [];

  test("planned assets match their plans when the name is known", () => {
    const met = plans.flatMap((path) => {
      const assets = path.replace("terraform-plans", "live-listings").replace(".tfplan.json", ".json");
      if (!existsSync(join(CORPUS, assets))) return [];
      const plan = parse(content(path));
      const planned = isObject(plan) ? plannedIn(member(member(plan, "planned_values"), "root_module")) : [];
      const keys = new Set(planned.flatMap((resource) => gcp.declaredIdentity(resource).keys));
      return rowsOf(assets)
        .flatMap((row) => read(row) ?? [])
        .map((resource) => gcp.liveKeys(resource, "any").some((key) => keys.has(key)));
    });
    // The others have ids that only the cloud assigns, or parents that are known only after apply.
    expect(met.filter(Boolean).length).toBeGreaterThan(80);
    expect(met.filter((one) => !one).length).toBeLessThan(25);
  });
});

function plannedIn(module: JsonObject | undefined): DeclaredResource[] {
  const own = members(module, "resources").map((resource) => ({
    address: text(resource, "address") ?? "",
    type: text(resource, "type") ?? "",
    attributes: member(resource, "values") ?? {},
  }));
  return [...own, ...members(module, "child_modules").flatMap(plannedIn)];
}

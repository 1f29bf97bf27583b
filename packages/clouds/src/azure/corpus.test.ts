import { describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { corpusFiles, corpusJson, corpusPairs, corpusText, joinByKeys } from "../corpus.fixture.ts";
import { nameDocument } from "../known-documents.ts";
import { azure } from "./azure.ts";
import { readPage } from "./page.fixture.ts";

/** Returns the answers in a recording of an API client, or in an example of Azure's specifications. */
function answers(path: string): JsonObject[] {
  const file = corpusJson(path);
  if (!isObject(file)) return [];
  const recorded = members(file, "interactions").map(
    (one) => member(member(one, "response"), "body")?.["data"],
  );
  const example = member(member(file, "responses"), "200")?.["body"];
  return [...recorded, example].flatMap((answer) => answer ?? []).filter(isObject);
}

describe.skipIf(!hasCorpus)("real data (skipped where there is none: set LEEWAY_CORPUS)", () => {
  const pages = [
    ...corpusFiles("live-listings/cloud-custodian-azure/*.json"),
    ...corpusFiles("live-listings/azure-resource-graph/*.json"),
  ].flatMap(answers);

  test("every Azure response is read with one resource per row or refused by name", () => {
    const refused: Record<string, number> = {};
    let read = 0;
    for (const page of pages) {
      const resources = readPage(page);
      if (resources === null) {
        const name = nameDocument(page, [azure]);
        refused[name] = (refused[name] ?? 0) + 1;
        continue;
      }
      const rows = page["value"] ?? member(page, "data")?.["rows"];
      expect(resources.length).toBeGreaterThanOrEqual(Array.isArray(rows) ? rows.length : 1);
      for (const resource of resources) expect(azure.liveKeys(resource, "").at(0)).toStartWith("2:/");
      read += resources.length;
    }
    expect(read).toBeGreaterThan(150);
    expect(refused).toEqual({
      "a list of Azure service tags": 1,
      "the contents of a Key Vault (its data plane; list the vaults instead)": 2,
      "an Azure Resource Graph aggregation (a query whose rows have no id)": 1,
      "an Azure activity log": 1,
      "an Azure resource change record": 1,
      "an Azure resource provider registration": 3,
      "an error response of Azure": 2,
      "the status of an Azure operation": 1,
    });
  });

  test("the catalog contains every Azure type in states and plans", () => {
    const found = [
      ...corpusFiles("terraform-states/**/*.{json,tfstate}"),
      ...corpusFiles("terraform-plans/**/*.json"),
    ]
      .flatMap((path) => corpusText(path).match(/"type": ?"(?:azurerm|azuread)_\w+"/g) ?? [])
      .map((match) => match.split('"')[3] ?? "");
    // Used only as data sources.
    const types = new Set(found).difference(new Set(["azurerm_client_config"]));
    expect(types.size).toBeGreaterThan(40);
    expect([...types].filter((type) => azure.catalog.byTerraform(type) === undefined)).toEqual([]);
  });

  const pairs = corpusPairs("azurerm_");
  test.each(pairs)(
    "$type: state and live resources match as in the table",
    ({ declared, listed, counts }) => {
      const matched = joinByKeys(azure, listed, declared);
      for (const [live, state] of matched)
        expect(live.provider_resource_id).toBe(text(state.attributes, "id") ?? "");
      expect([matched.length, declared.length - matched.length, listed.length - matched.length]).toEqual(
        counts,
      );
    },
  );

  test("the table has 11 Azure pairs", () => {
    expect(pairs.length).toBe(11);
  });
});

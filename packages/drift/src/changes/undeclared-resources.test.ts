import { describe, expect, test } from "bun:test";

import { readPlan } from "@leeway/analysis/plan/read-plan";
import { changeFlags } from "@leeway/analysis/risk/findings";
import { COMMON_TYPES } from "@leeway/analysis/reviewed/common-types";
import type { Listed } from "@leeway/analysis/reviewed/common/common-type";
import { cloudOf } from "@leeway/clouds/clouds";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { undeclaredResources } from "./undeclared-resources.ts";

const OPTIONS = { accountId: "a", profile: "standard", disabledRules: [], areGrantsKnown: true } as const;

function azureId(type: string): string {
  const group = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/x";
  if (type.endsWith("/resourceGroups")) return group;
  const [space, ...names] = type.split("/");
  return [group, "providers", space, ...names.flatMap((name) => [name, "x"])].join("/");
}

/** Listed resources in the form of their cloud's listing. */
const ROWS: Readonly<Record<string, (type: string, properties: JsonObject) => JsonObject>> = {
  aws: (type, { supplementaryConfiguration = {}, ...configuration }) => ({
    resourceType: type,
    resourceId: "x",
    resourceName: "x",
    configurationItemStatus: "OK",
    configuration,
    supplementaryConfiguration,
  }),
  gcp: (type, { iamPolicy = {}, ...data }) => ({
    name: "//compute.googleapis.com/projects/shop/things/x",
    assetType: type,
    resource: { data },
    iamPolicy,
  }),
  azure: (type, properties) => ({ id: azureId(type), type, name: "x", properties }),
};

/** Returns the level of an undeclared resource. */
async function liveLevel(
  provider: string,
  { provider_type: type }: Listed,
  properties: JsonObject,
): Promise<string> {
  const row = ROWS[provider]?.(type, properties) ?? {};
  const read = cloudOf(provider).formats.flatMap((format) => format.read(row, {}) ?? []);
  const [listed] = read;
  if (!listed) throw new Error(`no format reads ${type}`);
  const [found] = await undeclaredResources(
    [
      {
        id: "x",
        provider,
        providerType: listed.provider_type,
        providerResourceId: listed.provider_resource_id,
        name: "x",
        properties: JSON.stringify(listed.properties),
        parts: [],
      },
    ],
    OPTIONS,
  );
  return found?.riskLevel ?? "";
}

function planLevel(type: string, after: Json): RiskLevel {
  const change = { actions: ["create"], before: null, after };
  const plan = { format_version: "1.2", resource_changes: [{ address: `${type}.x`, type, change }] };
  const [created] = readPlan(plan).changes;
  if (!created) throw new Error("the plan has no change");
  return changeFlags(created, { profile: "standard", outside: false }).risk_level;
}

const PROVIDERS: Readonly<Record<string, string>> = { aws: "aws", google: "gcp", azurerm: "azure" };

interface Case {
  provider: string;
  listed: Listed;
  live: JsonObject;
  planned: RiskLevel;
}

/** All reviewed forms of the types that a cloud lists, each with the level of a plan that creates it. */
const CASES = COMMON_TYPES.flatMap(({ type, harmless, exposed, live: listed }): [string, string, Case][] => {
  if (!("provider_type" in listed)) return [];
  const provider = PROVIDERS[type.split("_", 1).join("")] ?? "";
  const of = (is: string, live: JsonObject, planned: RiskLevel): [string, string, Case] => [
    type,
    `${is}: ${planned}`,
    { provider, listed, live, planned },
  ];
  const parts = Object.entries(listed.exposed_by ?? {}).flatMap(([part, live]) => {
    const after = COMMON_TYPES.find((one) => one.type === part)?.exposed?.after;
    return after ? [of(`exposed by its ${part}`, live, planLevel(part, after))] : [];
  });
  return [
    of("harmless", listed.harmless, planLevel(type, harmless)),
    ...(listed.exposed && exposed ? [of("exposed", listed.exposed, planLevel(type, exposed.after))] : []),
    ...parts,
  ];
});

describe("an undeclared resource has the level of the plan that creates it", () => {
  test.each(CASES)("%s, %s", async (_type, _form, { provider, listed, live, planned }) => {
    expect(await liveLevel(provider, listed, live)).toBe(planned);
  });

  test("in at least thirty types of the three clouds", () => {
    expect(new Set(CASES.map(([type]) => type)).size).toBeGreaterThanOrEqual(30);
  });
});

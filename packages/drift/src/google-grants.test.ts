import { describe, expect, test } from "bun:test";

import { corpusFiles, corpusText } from "@leeway/clouds/corpus.fixture";
import { gcp } from "@leeway/clouds/gcp/gcp";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { compareResource } from "./compare-resource.ts";
import { grantedIn, grantsBeside, isGranted } from "./google-grants.ts";
import type { Part } from "./mapping.ts";

const BUCKET = gcp.catalog.byType("storage.googleapis.com/Bucket");
const ROLES = ["roles/storage.admin", "roles/storage.objectViewer", "projects/shop/roles/ops"];
const MEMBERS = ["allUsers", "user:ada@example.com", "group:ops@example.com", "domain:example.com"];

const grant = fc.record({ role: fc.constantFrom(...ROLES), member: fc.constantFrom(...MEMBERS) });
type Grant = typeof grant extends fc.Arbitrary<infer G> ? G : never;
const grants = fc.uniqueArray(grant, { selector: ({ role, member: who }) => `${role} ${who}` });

const policyOf = (granted: readonly Grant[]): JsonObject => ({
  bindings: [...Map.groupBy(granted, ({ role }) => role)].map(([role, all]) => ({
    role,
    members: all.map(({ member: who }) => who),
  })),
});
const memberOf = (attributes: Grant): Part => ({ type: "google_storage_bucket_iam_member", attributes });
const bindingOf = (role: string, who: string[]): Part => ({
  type: "google_storage_bucket_iam_binding",
  attributes: { role, members: who },
});

test("every grant of a policy is either declared or reported as undeclared", () => {
  const property = fc.property(grants, fc.array(fc.boolean()), (granted, picks) => {
    const known = granted.filter((_, index) => picks[index] === true);
    const live = { iamPolicy: policyOf(granted) };
    const parts = known.map(memberOf);
    expect(parts.every((part) => isGranted(live, part))).toBe(true);
    const beside = grantsBeside(live, parts, BUCKET).map(({ grant: one }) => one);
    expect(new Set([...known, ...beside].map(({ role, member: who }) => `${role} ${who}`)).size).toBe(
      granted.length,
    );
    expect(known.length + beside.length).toBe(granted.length);
  });
  fc.assert(property);
});

test("a binding includes all grants of its role; other grants are undeclared", () => {
  const property = fc.property(grants, grants, fc.constantFrom(...ROLES), (granted, declared, role) => {
    const live = { iamPolicy: policyOf(granted) };
    const whoIn = (all: readonly Grant[]) =>
      all.filter((one) => one.role === role).map(({ member: who }) => who);
    const binding = bindingOf(role, whoIn(declared));
    const others = granted.filter((one) => one.role !== role);
    expect(grantsBeside(live, [binding], BUCKET)).toHaveLength(others.length);
    const { changes } = compareResource({
      type: binding.type,
      address: "x",
      declared: binding.attributes,
      live: { properties: grantedIn(live, binding) },
    });
    const isSame = new Set(whoIn(granted)).symmetricDifference(new Set(whoIn(declared))).size === 0;
    expect(changes.length === 0).toBe(isSame);
  });
  fc.assert(property);
});

test("a policy declared as a whole and a listing without policies have no undeclared grants", () => {
  const iamPolicy = policyOf([{ role: ROLES[0] ?? "", member: "allUsers" }]);
  const policy = { type: "google_storage_bucket_iam_policy", attributes: { policy_data: "{}" } };
  expect(grantsBeside({ iamPolicy }, [policy], BUCKET)).toEqual([]);
  expect(grantsBeside({}, [], BUCKET)).toEqual([]);
  expect(grantsBeside({ iamPolicy }, [], undefined)).toEqual([]);
  expect(grantsBeside({ iamPolicy }, [], BUCKET)).toHaveLength(1);
});

const name = `real data${hasCorpus ? "" : " (skipped: there is none, set LEEWAY_CORPUS)"}`;
describe.skipIf(!hasCorpus)(name, () => {
  const plans = corpusFiles("terraform-plans/terraform-validator/*_iam_{member,binding,policy}.tfplan.json");
  test.each(plans)("%s grants what its assets contain", (path) => {
    const plan: JsonObject = JSON.parse(corpusText(path));
    const root = member(member(plan, "planned_values"), "root_module");
    const assets: unknown = JSON.parse(
      corpusText(path.replace("terraform-plans", "live-listings").replace(".tfplan", "")),
    );
    const policies = [assets]
      .flat()
      .filter(isObject)
      .flatMap((asset) => member(asset, "iam_policy") ?? []);
    const parts = members(root, "resources")
      .map((one) => ({ type: text(one, "type") ?? "", attributes: member(one, "values") ?? {} }))
      .filter(({ type }) => gcp.declaredEntry(type)?.terraform[0]?.endsWith("_iam_member"));
    expect(parts.length).toBeGreaterThan(0);
    expect(policies).toHaveLength(1);
    for (const part of parts) {
      const live = { iamPolicy: policies[0] ?? {} };
      expect(isGranted(live, part)).toBe(true);
      const compared = { type: part.type, address: "x", declared: part.attributes };
      expect(compareResource({ ...compared, live: { properties: grantedIn(live, part) } }).changes).toEqual(
        [],
      );
    }
  });
});

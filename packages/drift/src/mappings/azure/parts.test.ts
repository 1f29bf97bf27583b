import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import type { Part } from "../../mapping.ts";
import { partIn } from "../../parts.ts";
import { given, LIVE_ROUTE, ROUTE } from "./azure.fixture.ts";

const policy = (object_id: string, ...secret_permissions: string[]) => ({
  tenant_id: "t",
  object_id,
  application_id: "",
  certificate_permissions: [],
  key_permissions: [],
  secret_permissions,
  storage_permissions: [],
});
const livePolicy = (objectId: string, ...secrets: string[]) => ({
  tenantId: "t",
  objectId,
  permissions: { keys: [], secrets, certificates: [] },
});

const vault = (policies: JsonObject[], live: JsonObject[], parts: Part[] = []) =>
  compareResource(
    given("key_vault", { access_policy: policies }, { properties: { accessPolicies: live } }, parts),
  ).changes.map(({ path, after }) => [path.join("."), after]);

describe("a route declared as a separate resource", () => {
  const route = { type: "azurerm_route", attributes: { ...ROUTE, id: "/routeTables/t/routes/out" } };
  const live = {
    properties: { routes: [{ name: "out", properties: { ...LIVE_ROUTE, nextHopIpAddress: "10.0.0.9" } }] },
  };

  test.each([
    ["before a refresh", []],
    ["after a refresh", [ROUTE]],
  ])("is no drift of its route table, %s", (_, known) => {
    const table = given("route_table", { route: known }, live, [route]);
    expect(compareResource(table).changes).toEqual([]);
  });

  test("has drifted when its next hop changed", () => {
    const own = given("route", route.attributes, partIn(live, route));
    expect(compareResource(own).changes.map(({ path, after }) => [path.join("."), after])).toEqual([
      ["next_hop_in_ip_address", "10.0.0.9"],
    ]);
  });
});

describe("access to a key vault", () => {
  const app = { type: "azurerm_key_vault_access_policy", attributes: policy("app", "Get") };
  test("is unchanged in any order and case", () => {
    const live = [livePolicy("ops", "list", "get"), livePolicy("app", "GET")];
    expect(vault([policy("app", "Get"), policy("ops", "Get", "List")], live)).toEqual([]);
  });

  test("has drifted when a principal was added", () => {
    const live = [livePolicy("mallory", "Get"), livePolicy("app", "Get")];
    expect(vault([policy("app", "Get")], live)).toEqual([["access_policy.1", policy("mallory", "Get")]]);
  });

  test("has drifted when a principal has more permissions", () => {
    const live = [livePolicy("mallory", "Get"), livePolicy("app", "Get", "Delete"), livePolicy("ops", "Get")];
    expect(vault([policy("app", "Get"), policy("ops", "Get")], live)).toEqual([
      ["access_policy.0.secret_permissions", ["Get", "Delete"]],
      ["access_policy.2", policy("mallory", "Get")],
    ]);
  });

  test.each([
    ["before a refresh", []],
    ["after a refresh", [policy("app", "Get")]],
  ])("isn't compared when a separate resource declares it, %s", (_, known) => {
    const live = [livePolicy("ops", "Get"), livePolicy("app", "Get", "Delete")];
    expect(vault([policy("ops", "Get"), ...known], live, [app])).toEqual([]);
  });

  test.each([
    ["Get", []],
    ["Delete", [["secret_permissions.0", "Delete"]]],
  ])("declared by a separate resource is compared with that principal's policy: %s", (secret, changes) => {
    const through = { ...livePolicy("app", "Purge"), applicationId: "portal" };
    const whole = { properties: { accessPolicies: [through, livePolicy("app", secret)] } };
    const own = given("key_vault_access_policy", app.attributes, partIn(whole, app));
    expect(compareResource(own).changes.map(({ path, after }) => [path.join("."), after])).toEqual(changes);
  });
});

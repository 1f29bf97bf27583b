import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import { partIn } from "../../parts.ts";
import { detectDrift } from "../../detect-drift.fixture.ts";

const SUBNET =
  "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/n/subnets";

describe("a node pool declared as a separate resource", () => {
  const pool = {
    type: "azurerm_kubernetes_cluster_node_pool",
    attributes: {
      name: "work",
      vm_size: "Standard_D2s_v3",
      node_count: 2,
      max_count: null,
      auto_scaling_enabled: false,
      node_labels: { team: "shop" },
      node_taints: [],
      zones: ["1", "2"],
      vnet_subnet_id: `${SUBNET}/a`,
    },
  };
  const live = {
    name: "work",
    vmSize: "standard_d2s_v3",
    count: 2,
    enableAutoScaling: false,
    nodeLabels: { team: "shop" },
    availabilityZones: ["2", "1"],
    vnetSubnetID: `${SUBNET}/a`.toUpperCase(),
  };
  const changes = (more: JsonObject, declared: JsonObject = {}) => {
    const own = { ...pool, attributes: { ...pool.attributes, ...declared } };
    const cluster = {
      properties: {
        agentPoolProfiles: [
          { name: "main", count: 9 },
          { ...live, ...more },
        ],
      },
    };
    return compareResource({
      type: own.type,
      address: "x",
      declared: own.attributes,
      live: { properties: partIn(cluster, own) },
    }).changes.map(({ path, after }) => [path.join("."), after]);
  };

  test("is unchanged when its cluster lists the same values", () => {
    expect(changes({})).toEqual([]);
  });

  test("has drifted when its size, taints or machine type changed", () => {
    expect(changes({ count: 5, nodeTaints: ["a=b:NoSchedule"], vmSize: "Standard_D8s_v3" })).toEqual([
      ["vm_size", "Standard_D8s_v3"],
      ["node_count", 5],
      ["node_taints", ["a=b:NoSchedule"]],
    ]);
  });

  test("hasn't drifted when its autoscaler changed its size", () => {
    expect(changes({ count: 5, enableAutoScaling: true }, { auto_scaling_enabled: true })).toEqual([]);
  });
});

function upgraded(upgradeChannel: string) {
  const live = { properties: { kubernetesVersion: "1.30.0", autoUpgradeProfile: { upgradeChannel } } };
  return detectDrift({
    type: "azurerm_kubernetes_cluster",
    declared: { kubernetes_version: "1.29.4" },
    live,
  });
}

describe("a changed cluster version", () => {
  test("is reported without automatic upgrades", () => {
    expect(upgraded("none")).toEqual({
      changes: [["kubernetes_version", "1.30.0"]],
      rules: ["R07"],
    });
  });

  test("isn't reported with automatic upgrades", () => {
    expect(upgraded("stable").changes).toEqual([]);
  });
});

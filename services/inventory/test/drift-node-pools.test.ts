import { expect, test } from "bun:test";

import { drifting, type Declared } from "./drifting.ts";

const { changesBetween } = drifting();

const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
const CLUSTER = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/web`;

const azurerm = (type: string, attributes: Declared["attributes"]): Declared => ({
  type: `azurerm_${type}`,
  name: "web",
  provider: "azurerm",
  attributes,
});

const DECLARED = [
  azurerm("kubernetes_cluster", {
    id: CLUSTER,
    name: "web",
    default_node_pool: [{ name: "system", vm_size: "Standard_D2s_v3", node_count: 3 }],
  }),
  azurerm("kubernetes_cluster_node_pool", {
    id: `${CLUSTER}/agentPools/work`,
    name: "work",
    kubernetes_cluster_id: CLUSTER,
    vm_size: "Standard_D4s_v3",
    node_count: 2,
    node_taints: [],
  }),
];

/** Builds the cluster as Resource Graph returns it, the only place that shows its pools. */
const listing = (system: object, work: object) => ({
  data: [
    {
      id: CLUSTER.toLowerCase(),
      name: "web",
      type: "microsoft.containerservice/managedclusters",
      location: "westeurope",
      subscriptionId: SUBSCRIPTION,
      properties: {
        agentPoolProfiles: [
          { name: "system", vmSize: "Standard_D2s_v3", count: 3, ...system },
          { name: "work", vmSize: "Standard_D4s_v3", count: 2, ...work },
        ],
      },
    },
  ],
});

test("node pools have no drift while they are as declared", async () => {
  expect(await changesBetween(DECLARED, listing({}, {}), ["azure", SUBSCRIPTION])).toEqual([]);
});

test("a manual change to a node pool is reported on the resource that declares it", async () => {
  const live = listing({ count: 1 }, { count: 7, nodeTaints: ["a=b:NoSchedule"] });
  const changes = await changesBetween(DECLARED, live, ["azure", SUBSCRIPTION]);
  const reported = changes.map(({ address, attribute_changes }) => [
    address,
    attribute_changes.map(({ path, after }) => [path.join("."), after]),
  ]);
  expect(Object.fromEntries(reported)).toEqual({
    "azurerm_kubernetes_cluster.web": [["default_node_pool.0.node_count", 1]],
    "azurerm_kubernetes_cluster_node_pool.web": [
      ["node_count", 7],
      ["node_taints", ["a=b:NoSchedule"]],
    ],
  });
});

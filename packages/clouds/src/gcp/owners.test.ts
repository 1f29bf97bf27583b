import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { liveKeys } from "./keys.ts";
import { ownerKeys } from "./owners.ts";

function live(
  type: string,
  name: string,
  properties: JsonObject = {},
  tags?: Record<string, string>,
): ListedResource {
  const resource = {
    provider_resource_id: `//${type.split("/")[0]}/${name}`,
    provider_type: type,
    name: name.slice(name.lastIndexOf("/") + 1),
    properties,
    complete: true,
  };
  return tags === undefined ? resource : { ...resource, tags };
}

/** Reports whether `owner` is recognized as the owner of `resource`. */
function owns(owner: ListedResource, resource: ListedResource): boolean {
  const keys = liveKeys(owner, "shop");
  return ownerKeys(resource, "shop").some((key) => keys.includes(key));
}

const ZONE = "projects/shop/zones/us-east1-b";
const API = "https://www.googleapis.com/compute/v1";
const GKE = {
  "goog-k8s-cluster-name": "main",
  "goog-k8s-cluster-location": "us-east1",
  "goog-k8s-node-pool-name": "workers",
};
const CLUSTER = live("container.googleapis.com/Cluster", "projects/shop/locations/us-east1/clusters/main");
const POOL = live(
  "container.googleapis.com/NodePool",
  "projects/shop/locations/us-east1/clusters/main/nodePools/workers",
  {
    instanceGroupUrls: [`${API}/${ZONE}/instanceGroupManagers/gke-main-workers-1a2b3c4d-grp`],
  },
);
const MANAGER = live("compute.googleapis.com/InstanceGroupManager", `${ZONE}/instanceGroupManagers/web`);
const INSTANCE = live("compute.googleapis.com/Instance", `${ZONE}/instances/web-x7k2`, {
  metadata: {
    items: [
      { key: "startup-script", value: "true" },
      { key: "created-by", value: "projects/1043/zones/us-east1-b/instanceGroupManagers/web" },
    ],
  },
});

describe("an owner is found for", () => {
  const OWNED: [string, ListedResource, ListedResource][] = [
    ["the instances of a managed group", MANAGER, INSTANCE],
    [
      "the group behind its manager",
      MANAGER,
      live("compute.googleapis.com/InstanceGroup", `${ZONE}/instanceGroups/web`, {
        description: "This instance group is controlled by Instance Group Manager 'web'.",
      }),
    ],
    [
      "the boot disk of an instance",
      INSTANCE,
      live("compute.googleapis.com/Disk", `${ZONE}/disks/web-x7k2`, {
        users: [`${API}/${ZONE}/instances/web-x7k2`],
      }),
    ],
    [
      "the nodes of a pool",
      POOL,
      live("compute.googleapis.com/Instance", `${ZONE}/instances/gke-main-workers-1a2b3c4d-x1y2`, {}, GKE),
    ],
    [
      "the disks of a pool",
      POOL,
      live("compute.googleapis.com/Disk", `${ZONE}/disks/gke-main-workers-1a2b3c4d-x1y2`, {}, GKE),
    ],
    [
      "the group of a pool",
      POOL,
      live("compute.googleapis.com/InstanceGroup", `${ZONE}/instanceGroups/gke-main-workers-1a2b3c4d-grp`),
    ],
    [
      "the manager of a pool's group",
      POOL,
      live(
        "compute.googleapis.com/InstanceGroupManager",
        `${ZONE}/instanceGroupManagers/gke-main-workers-1a2b3c4d-grp`,
      ),
    ],
    [
      "the firewall rules of a cluster",
      CLUSTER,
      live("compute.googleapis.com/Firewall", "projects/shop/global/firewalls/gke-main-9f8e7d6c-all"),
    ],
    [
      "a disk labeled by a cluster without a pool",
      CLUSTER,
      live(
        "compute.googleapis.com/Disk",
        `${ZONE}/disks/pvc-1`,
        {},
        { "goog-k8s-cluster-name": "main", "goog-k8s-cluster-location": "us-east1" },
      ),
    ],
    [
      "the autoprovisioned pools of a cluster",
      CLUSTER,
      live(
        "container.googleapis.com/NodePool",
        "projects/shop/locations/us-east1/clusters/main/nodePools/nap-1",
        { autoscaling: { autoprovisioned: true } },
      ),
    ],
    [
      "the subnetworks of a network in auto mode",
      live("compute.googleapis.com/Network", "projects/shop/global/networks/auto"),
      live("compute.googleapis.com/Subnetwork", "projects/shop/regions/us-east1/subnetworks/auto", {
        ipCidrRange: "10.142.0.0/20",
        network: `${API}/projects/shop/global/networks/auto`,
      }),
    ],
    [
      "the workers of a Dataproc cluster",
      live("dataproc.googleapis.com/Cluster", "projects/shop/regions/us-east1/clusters/spark"),
      live(
        "compute.googleapis.com/Instance",
        `${ZONE}/instances/spark-w-0`,
        {},
        { "goog-dataproc-cluster-name": "spark", "goog-dataproc-location": "us-east1" },
      ),
    ],
    [
      "the workers of a Dataflow job",
      live("dataflow.googleapis.com/Job", "projects/shop/locations/us-east1/jobs/2024-03-01_00_00_00-42"),
      live(
        "compute.googleapis.com/Instance",
        `${ZONE}/instances/etl-harness`,
        {},
        { "goog-dataflow-job-id": "2024-03-01_00_00_00-42" },
      ),
    ],
    [
      "the clusters of a Bigtable instance",
      live("bigtableadmin.googleapis.com/Instance", "projects/shop/instances/events"),
      live("bigtableadmin.googleapis.com/Cluster", "projects/shop/instances/events/clusters/events-c1"),
    ],
    [
      "the versions of a rotated key",
      live("cloudkms.googleapis.com/CryptoKey", "projects/shop/locations/eu/keyRings/r/cryptoKeys/k"),
      live(
        "cloudkms.googleapis.com/CryptoKeyVersion",
        "projects/shop/locations/eu/keyRings/r/cryptoKeys/k/cryptoKeyVersions/7",
      ),
    ],
    [
      "the versions of a secret",
      live("secretmanager.googleapis.com/Secret", "projects/1043/secrets/token"),
      live("secretmanager.googleapis.com/SecretVersion", "projects/1043/secrets/token/versions/3"),
    ],
    [
      "the topic of an Eventarc trigger",
      live("eventarc.googleapis.com/Trigger", "projects/shop/locations/us-east1/triggers/uploads", {
        transport: { pubsub: { topic: "projects/shop/topics/eventarc-us-east1-uploads-042" } },
      }),
      live("pubsub.googleapis.com/Topic", "projects/shop/topics/eventarc-us-east1-uploads-042"),
    ],
    [
      "the subscription of an Eventarc trigger",
      live("eventarc.googleapis.com/Trigger", "projects/shop/locations/us-east1/triggers/uploads", {
        transport: {
          pubsub: { subscription: "projects/shop/subscriptions/eventarc-us-east1-uploads-sub-042" },
        },
      }),
      live(
        "pubsub.googleapis.com/Subscription",
        "projects/shop/subscriptions/eventarc-us-east1-uploads-sub-042",
      ),
    ],
    [
      "the trigger of a function",
      live("cloudfunctions.googleapis.com/Function", "projects/shop/locations/us-east1/functions/resize", {
        eventTrigger: { trigger: "projects/shop/locations/us-east1/triggers/resize-123456" },
      }),
      live("eventarc.googleapis.com/Trigger", "projects/shop/locations/us-east1/triggers/resize-123456"),
    ],
    [
      "the subscription of a first-generation function",
      live(
        "cloudfunctions.googleapis.com/CloudFunction",
        "projects/shop/locations/us-east1/functions/resize",
        {
          eventTrigger: { resource: "projects/shop/topics/uploads" },
        },
      ),
      live("pubsub.googleapis.com/Subscription", "projects/shop/subscriptions/gcf-resize-us-east1-uploads"),
    ],
    [
      "the Cloud Run service of a function",
      live("cloudfunctions.googleapis.com/Function", "projects/shop/locations/us-east1/functions/resize"),
      live(
        "run.googleapis.com/Service",
        "projects/shop/locations/us-east1/services/resize",
        {},
        { "goog-managed-by": "cloudfunctions" },
      ),
    ],
  ];

  test.each(OWNED)("%s", (_, owner, resource) => {
    expect(owns(owner, resource)).toBe(true);
  });

  test("the firewall rules of a cluster with a name like a hash", () => {
    const cluster = live(
      "container.googleapis.com/Cluster",
      "projects/shop/locations/us-east1/clusters/deadbeef",
    );
    expect(
      owns(
        cluster,
        live("compute.googleapis.com/Firewall", "projects/shop/global/firewalls/gke-deadbeef-9f8e7d6c-vms"),
      ),
    ).toBe(true);
  });

  test("a row with a parent id", () => {
    const parent_id = MANAGER.provider_resource_id;
    expect(owns(MANAGER, { ...live("custom/Agent", "projects/shop/agents/1"), parent_id })).toBe(true);
    expect(ownerKeys({ ...INSTANCE, parent_id: "4711" }, "shop")).toEqual([]);
  });

  test("a resource listed by its project number", () => {
    const key = live(
      "cloudkms.googleapis.com/CryptoKey",
      "projects/1043/locations/eu/keyRings/r/cryptoKeys/k",
    );
    const version = live(
      "cloudkms.googleapis.com/CryptoKeyVersion",
      "projects/1043/locations/eu/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1",
    );
    expect(owns(key, version)).toBe(true);
    expect(ownerKeys(version, "shop")).toContain(
      "3:google_kms_crypto_key|projects/shop/locations/eu/keyRings/r/cryptoKeys/k",
    );
  });
});

describe("no owner is found for", () => {
  const OWN: [string, ListedResource][] = [
    ["a topic that was made by hand", live("pubsub.googleapis.com/Topic", "projects/shop/topics/uploads")],
    [
      "an instance that was made by hand",
      live("compute.googleapis.com/Instance", `${ZONE}/instances/db`, { metadata: { items: [] } }),
    ],
    [
      "a disk attached to an instance with another name",
      live("compute.googleapis.com/Disk", `${ZONE}/disks/data`, { users: [`${API}/${ZONE}/instances/db`] }),
    ],
    [
      "a disk shared by several instances",
      live("compute.googleapis.com/Disk", `${ZONE}/disks/db`, {
        users: [`${API}/${ZONE}/instances/db`, `${API}/${ZONE}/instances/db2`],
      }),
    ],
    [
      "a subnetwork with its network's name and a custom range",
      live("compute.googleapis.com/Subnetwork", "projects/shop/regions/us-east1/subnetworks/auto", {
        ipCidrRange: "10.0.0.0/20",
        network: `${API}/projects/shop/global/networks/auto`,
      }),
    ],
    [
      "a replica of a database server",
      live("sqladmin.googleapis.com/Instance", "projects/shop/instances/orders-2", {
        masterInstanceName: "shop:orders",
      }),
    ],
    [
      "the address of a forwarding rule",
      live("compute.googleapis.com/Address", "projects/shop/regions/us-east1/addresses/a", {
        users: [`${API}/projects/shop/regions/us-east1/forwardingRules/f`],
      }),
    ],
    [
      "a firewall rule with a name like GKE's",
      live("compute.googleapis.com/Firewall", "projects/shop/global/firewalls/gke-admins"),
    ],
    [
      "a Dataproc cluster, which has its own labels",
      live(
        "dataproc.googleapis.com/Cluster",
        "projects/shop/regions/us-east1/clusters/spark",
        {},
        { "goog-dataproc-cluster-name": "spark", "goog-dataproc-location": "us-east1" },
      ),
    ],
  ];

  test.each(OWN)("%s", (_, resource) => {
    expect(ownerKeys(resource, "shop")).toEqual([]);
  });
});

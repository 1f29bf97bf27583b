import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { exclusions } from "./exclusions.ts";

function live(provider_type: string, path: string, properties?: JsonObject): ListedResource {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const own = {
    provider_resource_id: `//${provider_type.split("/")[0]}/${path}`,
    provider_type,
    name,
    complete: true,
  };
  return properties === undefined ? own : { ...own, properties };
}

function grant(terraform_type: string, id: string): ListedResource {
  return { provider_resource_id: id, provider_type: "iam", terraform_type, complete: false };
}

function excludedBy(resource: ListedResource): string[] {
  return exclusions.filter((rule) => rule.applies(resource)).map(({ id }) => id);
}

const DEFAULT = "https://www.googleapis.com/compute/v1/projects/shop/global/networks/default";
const FIREWALLS = "projects/shop/global/firewalls";
const ROUTES = "projects/shop/global/routes";
const RECORDS = "projects/shop/managedZones/1/rrsets/example.com.";

describe("excluded", () => {
  const NOISE: [string, ListedResource][] = [
    ["gcp.default_network", live("compute.googleapis.com/Network", "projects/shop/global/networks/default")],
    [
      "gcp.default_network",
      live("compute.googleapis.com/Subnetwork", "projects/shop/regions/us-east1/subnetworks/default", {
        network: DEFAULT,
      }),
    ],
    [
      "gcp.default_firewall_rule",
      live("compute.googleapis.com/Firewall", `${FIREWALLS}/default-allow-ssh`, { network: DEFAULT }),
    ],
    ["gcp.automatic_route", live("compute.googleapis.com/Route", `${ROUTES}/default-route-1a2b3c4d5e6f`)],
    [
      "gcp.automatic_route",
      live("compute.googleapis.com/Route", `${ROUTES}/peering-route-1`, { nextHopPeering: "to-shared" }),
    ],
    [
      "gcp.default_service_account",
      live(
        "iam.googleapis.com/ServiceAccount",
        "projects/shop/serviceAccounts/1043-compute@developer.gserviceaccount.com",
      ),
    ],
    [
      "gcp.default_service_account",
      live(
        "iam.googleapis.com/ServiceAccount",
        "projects/shop/serviceAccounts/shop@appspot.gserviceaccount.com",
      ),
    ],
    [
      "gcp.service_agent_grant",
      grant(
        "google_project_iam_member",
        "shop/roles/run.serviceAgent/serviceAccount:service-1043@serverless-robot-prod.iam.gserviceaccount.com",
      ),
    ],
    [
      "gcp.service_agent_grant",
      grant(
        "google_project_iam_member",
        "shop/roles/editor/serviceAccount:1043@cloudservices.gserviceaccount.com",
      ),
    ],
    [
      "gcp.legacy_bucket_grant",
      grant("google_storage_bucket_iam_member", "b/assets/roles/storage.legacyBucketOwner/projectOwner:shop"),
    ],
    [
      "gcp.default_log_storage",
      live("logging.googleapis.com/LogBucket", "projects/shop/locations/global/buckets/_Default"),
    ],
    ["gcp.default_log_storage", live("logging.googleapis.com/LogSink", "projects/shop/sinks/_Required")],
    [
      "gcp.gke_made",
      live(
        "compute.googleapis.com/Instance",
        "projects/shop/zones/us-east1-b/instances/gke-main-pool-1a2b3c4d-x1y2",
      ),
    ],
    [
      "gcp.gke_made",
      live(
        "compute.googleapis.com/NetworkEndpointGroup",
        "projects/shop/zones/us-east1-b/networkEndpointGroups/k8s1-1a2b3c4d-default-web-80-5e6f7a8b",
      ),
    ],
    [
      "gcp.gke_made",
      live("compute.googleapis.com/Firewall", `${FIREWALLS}/lb`, {
        description: '{"kubernetes.io/service-name":"default/web"}',
      }),
    ],
    [
      "gcp.gke_made",
      {
        ...live("compute.googleapis.com/Disk", "projects/shop/zones/us-east1-b/disks/pvc-1"),
        tags: { "goog-gke-volume": "" },
      },
    ],
    ["gcp.automatic_dns_record", live("dns.googleapis.com/ResourceRecordSet", `${RECORDS}/SOA`)],
    [
      "gcp.automatic_dns_record",
      live("dns.googleapis.com/ResourceRecordSet", `${RECORDS}/NS`, {
        type: "NS",
        ttl: 21600,
        rrdatas: ["ns-cloud-a1.googledomains.com.", "ns-cloud-a2.googledomains.com."],
      }),
    ],
    [
      "gcp.kubernetes_object",
      live("apps.k8s.io/Deployment", "projects/shop/zones/z/clusters/c/k8s/namespaces/n/apps/deployments/d"),
    ],
    [
      "gcp.run_record",
      live(
        "run.googleapis.com/Revision",
        "projects/shop/locations/us-east1/services/web/revisions/web-00001",
      ),
    ],
    [
      "gcp.system_managed_key",
      live("iam.googleapis.com/ServiceAccountKey", "projects/shop/serviceAccounts/1/keys/k", {
        keyType: "SYSTEM_MANAGED",
      }),
    ],
    ["gcp.project_settings", live("compute.googleapis.com/Project", "projects/shop")],
    [
      "gcp.default_service",
      live("serviceusage.googleapis.com/Service", "projects/1043/services/bigquerystorage.googleapis.com"),
    ],
    [
      "gcp.service_storage",
      live(
        "artifactregistry.googleapis.com/Repository",
        "projects/shop/locations/us-east1/repositories/gcf-artifacts",
      ),
    ],
    [
      "gcp.service_address",
      live("compute.googleapis.com/Address", "projects/shop/regions/us-east1/addresses/a", {
        purpose: "NAT_AUTO",
      }),
    ],
    [
      "gcp.service_address",
      live(
        "compute.googleapis.com/Address",
        "projects/shop/regions/us-east1/addresses/nat-auto-ip-1043-0-17",
      ),
    ],
    [
      "gcp.automatic_backup",
      live("compute.googleapis.com/Snapshot", "projects/shop/global/snapshots/data-1", { autoCreated: true }),
    ],
    [
      "gcp.automatic_backup",
      live("alloydb.googleapis.com/Backup", "projects/shop/locations/us-east1/backups/b", {
        type: "AUTOMATED",
      }),
    ],
    [
      "gcp.firebase_made",
      live(
        "iam.googleapis.com/ServiceAccount",
        "projects/shop/serviceAccounts/firebase-adminsdk-x7k2q@shop.iam.gserviceaccount.com",
      ),
    ],
    [
      "gcp.firebase_made",
      live("apikeys.googleapis.com/Key", "projects/1043/locations/global/keys/k", {
        displayName: "Browser key (auto created by Firebase)",
      }),
    ],
  ];

  test.each(NOISE)("%s", (id, resource) => {
    expect(excludedBy(resource)).toEqual([id]);
  });

  test.each([
    "gcf-sources-1043-us-east1",
    "gcf-v2-sources-1043-us-east1",
    "gcf-v2-uploads-1043-us-east1.cloudfunctions.appspot.com",
    "run-sources-shop-us-east1",
    "shop_cloudbuild",
    "1043_us-east1_cloudbuild",
    "eu.artifacts.shop.appspot.com",
    "staging.shop.appspot.com",
    "dataproc-temp-us-east1-1043-k2x7q9ab",
  ])("the bucket %s, which a service uses", (bucket) => {
    expect(excludedBy(live("storage.googleapis.com/Bucket", bucket))).toEqual(["gcp.service_storage"]);
  });

  test("by any form of a row's type", () => {
    const row = {
      provider_resource_id: "x",
      provider_type: "network",
      terraform_type: "google_compute_network",
      name: "default",
      complete: false,
    };
    expect(excludedBy(row)).toEqual(["gcp.default_network"]);
  });
});

describe("not excluded", () => {
  const REAL: [string, ListedResource][] = [
    ["a custom network", live("compute.googleapis.com/Network", "projects/shop/global/networks/prod")],
    [
      "a subnetwork named default in another network",
      live("compute.googleapis.com/Subnetwork", "projects/shop/regions/us-east1/subnetworks/default", {
        network: DEFAULT.replace("/default", "/prod"),
      }),
    ],
    [
      "a firewall rule made by a console checkbox",
      live("compute.googleapis.com/Firewall", `${FIREWALLS}/default-allow-http`, { network: DEFAULT }),
    ],
    [
      "a firewall rule with a default name in another network",
      live("compute.googleapis.com/Firewall", `${FIREWALLS}/default-allow-ssh`, {
        network: DEFAULT.replace("/default", "/prod"),
      }),
    ],
    [
      "a route to an appliance",
      live("compute.googleapis.com/Route", `${ROUTES}/to-firewall`, { nextHopIp: "10.0.0.4" }),
    ],
    [
      "a custom service account",
      live(
        "iam.googleapis.com/ServiceAccount",
        "projects/shop/serviceAccounts/ci@shop.iam.gserviceaccount.com",
      ),
    ],
    [
      "a grant to a custom service account",
      grant("google_project_iam_member", "shop/roles/editor/serviceAccount:ci@shop.iam.gserviceaccount.com"),
    ],
    [
      "a legacy role for allUsers",
      grant("google_storage_bucket_iam_member", "b/assets/roles/storage.legacyObjectReader/allUsers"),
    ],
    [
      "the editor role of a default service account",
      grant(
        "google_project_iam_member",
        "shop/roles/editor/serviceAccount:1043-compute@developer.gserviceaccount.com",
      ),
    ],
    [
      "a custom log bucket",
      live("logging.googleapis.com/LogBucket", "projects/shop/locations/global/buckets/audit"),
    ],
    [
      "an instance with a name like GKE's",
      live("compute.googleapis.com/Instance", "projects/shop/zones/us-east1-b/instances/gke-bastion"),
    ],
    [
      "a delegation",
      live("dns.googleapis.com/ResourceRecordSet", "projects/shop/managedZones/1/rrsets/eu.example.com./NS", {
        type: "NS",
        ttl: 300,
        rrdatas: ["ns-cloud-b1.googledomains.com."],
      }),
    ],
    [
      "an address record",
      live("dns.googleapis.com/ResourceRecordSet", `${RECORDS}/A`, { type: "A", rrdatas: ["203.0.113.7"] }),
    ],
    [
      "a cluster",
      live(
        "container.googleapis.com/Cluster",
        "projects/shop/locations/us-east1/clusters/gke-main-1a2b3c4d-x",
      ),
    ],
    [
      "an enabled service",
      live("serviceusage.googleapis.com/Service", "projects/1043/services/run.googleapis.com"),
    ],
    ["a custom bucket", live("storage.googleapis.com/Bucket", "shop-sources-us-east1")],
    ["an app's bucket with user files", live("storage.googleapis.com/Bucket", "shop.appspot.com")],
    [
      "a reserved address",
      live("compute.googleapis.com/Address", "projects/shop/regions/us-east1/addresses/nat", {
        purpose: "GCE_ENDPOINT",
      }),
    ],
    [
      "a manual snapshot",
      live("compute.googleapis.com/Snapshot", "projects/shop/global/snapshots/before-upgrade"),
    ],
    [
      "a manual backup",
      live("alloydb.googleapis.com/Backup", "projects/shop/locations/us-east1/backups/b", {
        type: "ON_DEMAND",
      }),
    ],
    [
      "a user-managed key",
      live("iam.googleapis.com/ServiceAccountKey", "projects/shop/serviceAccounts/1/keys/k", {
        keyType: "USER_MANAGED",
      }),
    ],
  ];

  test.each(REAL)("%s", (_, resource) => {
    expect(excludedBy(resource)).toEqual([]);
  });
});

test("each rule has a unique id and a title", () => {
  expect(new Set(exclusions.map(({ id }) => id)).size).toBe(exclusions.length);
  for (const { id, title } of exclusions) {
    expect(id).toMatch(/^gcp\.[a-z]+(?:_[a-z]+)*$/);
    expect(title).toMatch(/^[A-Z].{20,}\.$/);
  }
});

import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@leeway/shared/values/json";

import type { DeclaredIdentity, ListedResource, MatchKey } from "../cloud.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";

function live(provider_type: string, name: string, properties?: JsonObject): ListedResource {
  const own = { provider_resource_id: name, provider_type, complete: properties !== undefined };
  return properties === undefined ? own : { ...own, properties };
}

function declare(type: string, attributes: JsonObject, identity?: JsonObject): MatchKey[] {
  const resource = { address: `${type}.x`, type, attributes };
  return declaredIdentity(identity === undefined ? resource : { ...resource, identity }).keys;
}

/** Returns the first level on which both sides share a key; undefined if there is none. */
function meet(listed: ListedResource, declared: readonly MatchKey[], account = "shop"): string | undefined {
  return liveKeys(listed, account)
    .find((key) => declared.includes(key))
    ?.slice(0, 1);
}

function own(id: string, terraform_type: string, rest: Partial<ListedResource> = {}): ListedResource {
  return { provider_resource_id: id, provider_type: "anything", terraform_type, complete: false, ...rest };
}

function of(type: string, attributes: JsonObject, identity?: JsonObject): DeclaredIdentity {
  return declaredIdentity({ address: "x", type, attributes, ...(identity && { identity }) });
}

const INSTANCE = "//compute.googleapis.com/projects/shop/zones/europe-west1-b/instances/web";

describe("a listed resource matches its state", () => {
  const PAIRS: [string, ListedResource, MatchKey[], string][] = [
    [
      "an instance by its self link, even an old one",
      live("compute.googleapis.com/Instance", INSTANCE),
      declare("google_compute_instance", {
        id: "web",
        self_link: "https://www.googleapis.com/compute/v1/projects/shop/zones/europe-west1-b/instances/web",
      }),
      "2",
    ],
    [
      "an instance by its identity object",
      live("compute.googleapis.com/Instance", INSTANCE),
      declare("google_compute_instance", {}, { project: "shop", zone: "europe-west1-b", name: "web" }),
      "1",
    ],
    [
      "an instance declared with Pulumi",
      live("compute.googleapis.com/Instance", INSTANCE),
      declare("gcp:compute/instance:Instance", { id: "projects/shop/zones/europe-west1-b/instances/web" }),
      "2",
    ],
    [
      "an instance of a plan, whose project is unknown",
      { ...live("compute.googleapis.com/Instance", INSTANCE), name: "web" },
      declare("google_compute_instance", { name: "web", zone: "europe-west1-b" }),
      "4",
    ],
    [
      "a bucket by its name",
      live("storage.googleapis.com/Bucket", "//storage.googleapis.com/assets"),
      declare("google_storage_bucket", { id: "assets", name: "assets", project: "shop", location: "EU" }),
      "2",
    ],
    [
      "a dataset listed by its project number",
      live("bigquery.googleapis.com/Dataset", "//bigquery.googleapis.com/projects/1043/datasets/sales"),
      declare("google_bigquery_dataset", { id: "projects/shop/datasets/sales" }),
      "3",
    ],
    [
      "a secret with its project number in the state",
      live("secretmanager.googleapis.com/Secret", "//secretmanager.googleapis.com/projects/1043/secrets/key"),
      declare("google_secret_manager_secret", {
        id: "projects/shop/secrets/key",
        name: "projects/1043/secrets/key",
      }),
      "2",
    ],
    [
      "a service account by its unique id",
      live("iam.googleapis.com/ServiceAccount", "//iam.googleapis.com/projects/shop/serviceAccounts/1101"),
      declare("google_service_account", {
        id: "projects/shop/serviceAccounts/ci@shop.iam.gserviceaccount.com",
        email: "ci@shop.iam.gserviceaccount.com",
        unique_id: "1101",
      }),
      "3",
    ],
    [
      "a service account by the email in its properties",
      live("iam.googleapis.com/ServiceAccount", "//iam.googleapis.com/projects/shop/serviceAccounts/1101", {
        email: "ci@shop.iam.gserviceaccount.com",
        name: "projects/shop/serviceAccounts/ci@shop.iam.gserviceaccount.com",
      }),
      declare("google_service_account", {
        id: "projects/shop/serviceAccounts/ci@shop.iam.gserviceaccount.com",
      }),
      "2",
    ],
    [
      "a key of a service account",
      live(
        "iam.googleapis.com/ServiceAccountKey",
        "//iam.googleapis.com/projects/shop/serviceAccounts/1101/keys/ab12",
      ),
      declare("google_service_account_key", {
        name: "projects/shop/serviceAccounts/ci@shop.iam.gserviceaccount.com/keys/ab12",
      }),
      "3",
    ],
    [
      "a DNS zone by name, although the listing has numbers",
      live("dns.googleapis.com/ManagedZone", "//dns.googleapis.com/projects/1043/managedZones/9141", {
        name: "example-com",
      }),
      declare("google_dns_managed_zone", { id: "projects/shop/managedZones/example-com" }),
      "3",
    ],
    [
      "a DNS zone by number, without properties",
      live("dns.googleapis.com/ManagedZone", "//dns.googleapis.com/projects/1043/managedZones/9141"),
      declare("google_dns_managed_zone", {
        id: "projects/shop/managedZones/example-com",
        managed_zone_id: 9141,
      }),
      "3",
    ],
    [
      "a DNS record by name and type",
      live(
        "dns.googleapis.com/ResourceRecordSet",
        "//dns.googleapis.com/projects/1043/managedZones/9141/rrsets/www.example.com./A",
      ),
      declare("google_dns_record_set", {
        id: "projects/shop/managedZones/example-com/rrsets/www.example.com./A",
        name: "www.example.com.",
        type: "A",
        managed_zone: "example-com",
        project: "shop",
      }),
      "4",
    ],
    [
      "a project by its number",
      live(
        "cloudresourcemanager.googleapis.com/Project",
        "//cloudresourcemanager.googleapis.com/projects/1043",
        {
          name: "Shop Production",
          projectId: "shop",
        },
      ),
      declare("google_project", {
        id: "projects/shop",
        project_id: "shop",
        number: "1043",
        name: "Shop Production",
      }),
      "3",
    ],
    [
      "a zonal cluster listed by its zone",
      live(
        "container.googleapis.com/Cluster",
        "//container.googleapis.com/projects/shop/zones/us-central1-a/clusters/c",
      ),
      declare("google_container_cluster", { id: "projects/shop/locations/us-central1-a/clusters/c" }),
      "2",
    ],
    [
      "a database server by its name only",
      live("sqladmin.googleapis.com/Instance", "//cloudsql.googleapis.com/projects/shop/instances/orders"),
      declare("google_sql_database_instance", { id: "orders", name: "orders", project: "shop" }),
      "2",
    ],
    [
      "a Spanner database, whose id is short",
      live(
        "spanner.googleapis.com/Database",
        "//spanner.googleapis.com/projects/shop/instances/main/databases/db",
      ),
      declare("google_spanner_database", { id: "main/db", instance: "main", name: "db", project: "shop" }),
      "2",
    ],
    [
      "a service of Cloud Run's v1 API",
      live(
        "run.googleapis.com/Service",
        "//run.googleapis.com/projects/shop/locations/us-east1/services/web",
      ),
      declare("google_cloud_run_service", { id: "locations/us-east1/namespaces/shop/services/web" }),
      "2",
    ],
    [
      "a global address, which searches list as an address",
      {
        ...live(
          "compute.googleapis.com/Address",
          "//compute.googleapis.com/projects/1043/global/addresses/front",
        ),
        account: "shop",
      },
      declare("google_compute_global_address", { id: "projects/shop/global/addresses/front" }),
      "3",
    ],
    [
      "a log metric with a slash in its name",
      live(
        "logging.googleapis.com/LogMetric",
        "//logging.googleapis.com/projects/shop/metrics/http%2Ferrors",
      ),
      declare("google_logging_metric", { id: "http/errors", name: "http/errors", project: "shop" }),
      "2",
    ],
    [
      "a VPN tunnel listed by a number",
      live(
        "compute.googleapis.com/VpnTunnel",
        "//compute.googleapis.com/projects/shop/regions/us-east1/vpnTunnels/9181",
        {
          selfLink: "https://www.googleapis.com/compute/v1/projects/shop/regions/us-east1/vpnTunnels/office",
        },
      ),
      declare("google_compute_vpn_tunnel", { id: "projects/shop/regions/us-east1/vpnTunnels/office" }),
      "2",
    ],
    [
      "a database server of a plan, by name and region",
      {
        ...live(
          "sqladmin.googleapis.com/Instance",
          "//cloudsql.googleapis.com/projects/shop/instances/orders",
        ),
        name: "orders",
        region: "us-east1",
      },
      declare("google_sql_database_instance", { name: "orders", region: "us-east1" }),
      "4",
    ],
    [
      "an address of an old state, with a region URL",
      live(
        "compute.googleapis.com/Address",
        "//compute.googleapis.com/projects/shop/regions/us-east1/addresses/a",
      ),
      declare("google_compute_address", {
        id: "a",
        name: "a",
        project: "shop",
        region: "https://www.googleapis.com/compute/v1/projects/shop/regions/us-east1",
      }),
      "2",
    ],
    [
      "a node pool with its cluster's path",
      live(
        "container.googleapis.com/NodePool",
        "//container.googleapis.com/projects/shop/locations/us-east1/clusters/c/nodePools/n",
      ),
      declare("google_container_node_pool", {
        cluster: "projects/shop/locations/us-east1/clusters/c",
        location: "us-east1",
        project: "shop",
        name: "n",
      }),
      "2",
    ],
    [
      "a key with its ring's URL",
      live(
        "cloudkms.googleapis.com/CryptoKey",
        "//cloudkms.googleapis.com/projects/shop/locations/eu/keyRings/r/cryptoKeys/k",
      ),
      declare("google_kms_crypto_key", {
        key_ring: "https://cloudkms.googleapis.com/v1/projects/shop/locations/eu/keyRings/r",
        name: "k",
      }),
      "2",
    ],
  ];

  test.each(PAIRS)("%s", (_, listed, declared, level) => {
    expect(meet(listed, declared)).toBe(level);
  });
});

describe("resources don't match by", () => {
  test("the display name of a project", () => {
    const number = "//cloudresourcemanager.googleapis.com/projects/1043";
    const project = live("cloudresourcemanager.googleapis.com/Project", number, {
      name: "Shop",
      projectId: "shop",
    });
    expect(liveKeys(project, "shop").filter((key) => key.includes("Shop"))).toEqual([]);
  });

  test("the same path in two services or two projects", () => {
    const redis = live(
      "redis.googleapis.com/Instance",
      "//redis.googleapis.com/projects/shop/locations/l/instances/i",
    );
    expect(
      meet(redis, declare("google_memcache_instance", { id: "projects/shop/locations/l/instances/i" })),
    ).toBeUndefined();
    const topic = live("pubsub.googleapis.com/Topic", "//pubsub.googleapis.com/projects/shop/topics/t");
    expect(meet(topic, declare("google_pubsub_topic", { id: "projects/bank/topics/t" }))).toBeUndefined();
  });

  test("the same name in two zones or two clusters", () => {
    const instance = { ...live("compute.googleapis.com/Instance", INSTANCE), name: "web" };
    const zone = "europe-west1-c";
    expect(
      meet(instance, declare("google_compute_instance", { name: "web", zone, project: "shop" })),
    ).toBeUndefined();
    const clusters = "//container.googleapis.com/projects/shop/locations/l/clusters";
    const pool = {
      ...live("container.googleapis.com/NodePool", `${clusters}/a/nodePools/main`),
      name: "main",
    };
    const other = { id: "projects/shop/locations/l/clusters/b/nodePools/main", name: "main" };
    expect(meet(pool, declare("google_container_node_pool", other))).toBeUndefined();
  });

  test("the id of the resource that a setting belongs to", () => {
    const dataset = live(
      "bigquery.googleapis.com/Dataset",
      "//bigquery.googleapis.com/projects/shop/datasets/sales",
    );
    const id = "projects/shop/datasets/sales";
    expect(
      meet(dataset, declare("google_bigquery_dataset_access", { id, dataset_id: "sales", project: "shop" })),
    ).toBeUndefined();
    const bucket = live("storage.googleapis.com/Bucket", "//storage.googleapis.com/assets");
    expect(
      meet(bucket, declare("google_storage_bucket_iam_policy", { id: "b/assets", bucket: "assets" })),
    ).toBeUndefined();
  });
});

describe("a row in Leeway's own format", () => {
  test("has the keys of a state with its id", () => {
    const id = "projects/shop/regions/us-east1/subnetworks/front";
    expect(meet(own(id, "google_compute_subnetwork"), declare("google_compute_subnetwork", { id }))).toBe(
      "2",
    );
    expect(
      meet(own("main/db", "google_spanner_database"), declare("google_spanner_database", { id: "main/db" })),
    ).toBe("3");
  });

  test("matches by full name, by name and region, or by id if its type is unknown", () => {
    const state = declare("google_compute_address", {
      id: "projects/shop/regions/us-east1/addresses/a",
      name: "a",
      region: "us-east1",
    });
    const name = "//compute.googleapis.com/projects/shop/regions/us-east1/addresses/a";
    expect(meet(own(name, "google_compute_address"), state)).toBe("2");
    expect(meet(own("4711", "google_compute_address", { name: "a", region: "us-east1" }), state)).toBe("4");
    expect(meet(own("x1", "google_time_machine"), declare("google_time_machine", { id: "x1" }))).toBe("3");
  });

  test("may have its Terraform type as its provider type", () => {
    const row = { provider_resource_id: "assets", provider_type: "google_storage_bucket", complete: false };
    expect(meet(row, declare("google_storage_bucket", { id: "assets" }))).toBe("3");
  });

  test("matches a grant in any case of its member", () => {
    const id = "b/assets/roles/storage.admin/user:Jane@Example.com";
    const state = declare("google_storage_bucket_iam_member", { id: id.toLowerCase() });
    expect(meet(own(id, "google_storage_bucket_iam_member"), state)).toBe("3");
  });
});

describe("a declared resource", () => {
  test("has a project and a region", () => {
    const disk = of("google_compute_disk", { id: "projects/shop/zones/us-east1-c/disks/d" });
    expect(disk).toMatchObject({ account: "shop", region: "us-east1" });
    const identity = { project: "shop", location: "us-east1", name: "web" };
    expect(of("google_cloud_run_v2_service", {}, identity)).toMatchObject({
      account: "shop",
      region: "us-east1",
    });
  });

  test("has no region if it is global, and no project from a number", () => {
    expect(of("google_compute_network", { id: "projects/shop/global/networks/n" })).not.toHaveProperty(
      "region",
    );
    const version = of("google_secret_manager_secret_version", {
      id: "projects/1043/secrets/key/versions/1",
    });
    expect(version).not.toHaveProperty("account");
  });

  test("has no keys without attributes", () => {
    expect(of("google_compute_instance", {})).toEqual({ keys: [] });
    expect(of("google_time_machine", {})).toEqual({ keys: [] });
  });

  test("of an unknown type has its self link and its id as keys", () => {
    const self_link = "https://compute.googleapis.com/compute/v1/projects/p/global/timeMachines/m";
    expect(of("google_time_machine", { id: "m", self_link }).keys).toEqual([
      "2://compute.googleapis.com/projects/p/global/timeMachines/m",
      "3:google_time_machine|projects/p/global/timeMachines/m",
      "3:google_time_machine|m",
    ]);
  });
});

test("keys are ordered by reliability, without duplicates", () => {
  const resource = { ...live("compute.googleapis.com/Instance", INSTANCE, { name: "web" }), name: "web" };
  const keys = liveKeys(resource, "shop");
  expect(keys).toEqual(keys.toSorted((a, b) => Number(a[0]) - Number(b[0])));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual([
    `1:${INSTANCE}`,
    `2:${INSTANCE}`,
    "3:google_compute_instance|projects/shop/zones/europe-west1-b/instances/web",
    "4:google_compute_instance|europe-west1-b|web",
  ]);
});

import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { changesIn } from "../google.fixture.ts";
import { REMOVED_BLOCKS } from "./removed-blocks.ts";

const removable = [...REMOVED_BLOCKS].flatMap(([type, names]) =>
  [...names].map((name): [string, string] => [type, name]),
);
const ANY_ADDRESS = [{ name: "all", value: "0.0.0.0/0" }];

describe("a block that a Google API omits when it is empty", () => {
  test.each(removable)("is reported as removed, unless the listing is a summary: %s %s", (type, name) => {
    for (const declared of [{ [name]: [{ description: "a" }] }, { [name]: ["a"] }]) {
      expect(changesIn(type, declared, { name: "x" })).toHaveLength(1);
      expect(changesIn(type, declared, { assetType: "x", name: "//x" })).toEqual([]);
    }
    expect(changesIn(type, { [name]: [] }, { name: "x" })).toEqual([]);
    expect(changesIn(type, { [name]: null }, { name: "x" })).toEqual([]);
  });

  test.each<[type: string, declared: JsonObject, live: JsonObject, change: [path: string, after: unknown]]>([
    [
      "google_compute_instance",
      { network_interface: [{ network_ip: "10.0.0.2", access_config: [{ nat_ip: "203.0.113.7" }] }] },
      { networkInterfaces: [{ networkIP: "10.0.0.2" }] },
      ["network_interface.0.access_config.0", null],
    ],
    [
      "google_container_cluster",
      { master_authorized_networks_config: [{ cidr_blocks: [{ cidr_block: "10.0.0.0/8" }] }] },
      { name: "c" },
      ["master_authorized_networks_config.0", null],
    ],
    [
      "google_sql_database_instance",
      { settings: [{ ip_configuration: [{ ipv4_enabled: true, authorized_networks: ANY_ADDRESS }] }] },
      { settings: { ipConfiguration: { ipv4Enabled: true } } },
      ["settings.0.ip_configuration.0.authorized_networks.0", null],
    ],
    [
      "google_sql_database_instance",
      { settings: [{ ip_configuration: [{ ipv4_enabled: true, authorized_networks: [] }] }] },
      { settings: { ipConfiguration: { ipv4Enabled: true, authorizedNetworks: ANY_ADDRESS } } },
      ["settings.0.ip_configuration.0.authorized_networks.0", { name: "all", value: "0.0.0.0/0" }],
    ],
    [
      "google_dns_managed_zone",
      { private_visibility_config: [{ networks: [{ network_url: "projects/p/global/networks/n" }] }] },
      { privateVisibilityConfig: {} },
      ["private_visibility_config.0.networks.0", null],
    ],
    [
      "google_storage_bucket",
      { website: [{ main_page_suffix: "index.html", not_found_page: "" }] },
      { website: {} },
      ["website.0.main_page_suffix", ""],
    ],
    [
      "google_compute_target_https_proxy",
      {
        certificate_map: "//certificatemanager.googleapis.com/projects/p/locations/global/certificateMaps/m",
      },
      { name: "p" },
      ["certificate_map", ""],
    ],
    [
      "google_cloud_run_v2_service",
      { template: [{ containers: [{ image: "i", env: [{ name: "STAGE", value: "prod" }] }] }] },
      { template: { containers: [{ image: "i" }] } },
      ["template.0.containers.0.env.0", null],
    ],
    [
      "google_cloud_run_service",
      { template: [{ spec: [{ containers: [{ image: "i", env: [{ name: "STAGE", value: "prod" }] }] }] }] },
      { spec: { template: { spec: { containers: [{ image: "i" }] } } } },
      ["template.0.spec.0.containers.0.env.0", null],
    ],
    [
      "google_cloud_run_v2_service",
      { template: [{ vpc_access: [{ egress: "ALL_TRAFFIC" }] }] },
      { template: { timeout: "300s" } },
      ["template.0.vpc_access.0", null],
    ],
  ])("is reported inside other blocks: %s %j", (type, declared, live, change) => {
    expect(changesIn(type, declared, live)).toEqual([change]);
  });

  test.each<[type: string, declared: JsonObject, live: JsonObject]>([
    [
      "google_compute_backend_service",
      { backend: [{ group: "g", description: "" }] },
      { backends: [{ group: "g" }] },
    ],
    [
      "google_cloud_run_v2_service",
      { template: [{ vpc_access: [{ egress: "ALL_TRAFFIC" }] }] },
      { spec: { template: { spec: { timeoutSeconds: 300 } } } },
    ],
    [
      "google_cloud_run_v2_service",
      { template: [{ vpc_access: [], containers: [{ image: "i", env: [], volume_mounts: null }] }] },
      { template: { containers: [{ image: "i" }] } },
    ],
    [
      "google_cloud_run_v2_service",
      { template: [{ vpc_access: [{ egress: "ALL_TRAFFIC" }] }] },
      { template: { vpcAccess: { egress: "ALL_TRAFFIC", connector: "c" } } },
    ],
    // Separate resources may have added backends.
    ["google_compute_backend_service", { backend: [] }, { backends: [{ group: "g" }] }],
    [
      "google_compute_instance",
      { network_interface: [{ access_config: [], alias_ip_range: null }] },
      { networkInterfaces: [{}] },
    ],
    [
      "google_compute_instance",
      { network_interface: [{ access_config: [{ nat_ip: "203.0.113.7" }] }] },
      { assetType: "compute.googleapis.com/Instance", networkInterfaces: [{}] },
    ],
    [
      "google_pubsub_subscription",
      { dead_letter_policy: [{ max_delivery_attempts: 5 }] },
      { deadLetterPolicy: { maxDeliveryAttempts: 5 } },
    ],
    ["google_container_cluster", { master_authorized_networks_config: [] }, { name: "c" }],
    [
      "google_sql_database_instance",
      { settings: [{ ip_configuration: [{ authorized_networks: [] }] }] },
      { settings: {} },
    ],
    ["google_storage_bucket", { website: [], cors: [] }, { name: "b" }],
  ])("is unchanged when it was empty or is still there: %s %j", (type, declared, live) => {
    expect(changesIn(type, declared, live)).toEqual([]);
  });
});

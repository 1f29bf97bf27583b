import { describe, expect, test } from "bun:test";

import { catalog, declaredEntry, declares } from "./catalog.ts";

describe("the Google Cloud catalog", () => {
  test("contains more than 180 listed types with Terraform types", () => {
    expect(
      catalog.entries.filter(({ listed, terraform }) => listed && terraform.length > 0).length,
    ).toBeGreaterThan(180);
  });

  test("contains each asset type once, and one canonical type for each Terraform type", () => {
    const canonical = new Map<string, string | undefined>();
    const types = new Set<string>();
    for (const { type, terraform } of catalog.entries) {
      expect(types.has(type.toLowerCase())).toBe(false);
      types.add(type.toLowerCase());
      for (const name of terraform) {
        expect(canonical.get(name) ?? terraform[0]).toBe(terraform[0]);
        canonical.set(name, terraform[0]);
      }
    }
  });

  test("writes attribute paths in braces", () => {
    for (const { type, path, terraform } of catalog.entries) {
      expect(type).toMatch(/^[\w.-]+\/\w+$/);
      for (const name of terraform) expect(name).toMatch(/^google_[a-z\d_]+$/);
      for (const one of path?.split(",") ?? [])
        expect(one).toMatch(/^(?:\{\w+\}|[\w-]+)(?:\/(?:\{\w+\}|[\w-]+))*$/);
    }
  });

  test("lists only types with a full name", () => {
    const unnamed = catalog.entries.filter(
      ({ listed, terraform, path }) => listed && terraform.length > 0 && path === undefined,
    );
    expect(unnamed.map(({ type }) => type)).toEqual([]);
  });

  test.each([
    ["google_storage_bucket", "storage.googleapis.com/Bucket", "object_storage", "stateful"],
    ["google_kms_crypto_key", "cloudkms.googleapis.com/CryptoKey", "encryption_key", "key_material"],
    ["google_project", "cloudresourcemanager.googleapis.com/Project", "project", "container"],
    [
      "google_compute_region_instance_group_manager",
      "compute.googleapis.com/InstanceGroupManager",
      "compute_group",
      "serving",
    ],
    ["google_compute_firewall", "compute.googleapis.com/Firewall", "firewall", "other"],
  ])("%s is %s", (terraform, type, normalized, loss) => {
    expect(catalog.byTerraform(terraform)).toMatchObject({ type, normalized, loss, listed: true });
  });

  test("classifies data, keys and containers as stateful, key material or containers", () => {
    const kept =
      "sql_database_instance sql_database spanner_instance spanner_database bigtable_instance bigtable_table bigquery_dataset bigquery_table storage_bucket firestore_database alloydb_cluster alloydb_instance redis_instance redis_cluster filestore_instance compute_disk compute_region_disk compute_snapshot artifact_registry_repository container_cluster secret_manager_secret kms_key_ring kms_crypto_key dns_managed_zone backup_dr_backup_vault project dataproc_metastore_service composer_environment healthcare_dataset vmwareengine_private_cloud netapp_volume";
    for (const type of kept.split(" ")) {
      expect(["stateful", "key_material", "container"]).toContain(
        catalog.byTerraform(`google_${type}`)?.loss ?? type,
      );
    }
  });

  test.each([
    "google_project_iam_member",
    "google_storage_bucket_iam_policy",
    "google_compute_attached_disk",
    "google_compute_router_nat",
    "google_bigquery_dataset_access",
    "google_compute_shared_vpc_service_project",
  ])("%s isn't listed by itself", (terraform) => {
    expect(catalog.byTerraform(terraform)?.listed).toBe(false);
  });
});

describe("a declared type", () => {
  test.each([
    ["google_pubsub_topic", "google_pubsub_topic"],
    ["gcp:compute/instance:Instance", "google_compute_instance"],
    ["gcp:compute/uRLMap:URLMap", "google_compute_url_map"],
    ["gcp:secretmanager/secret:Secret", "google_secret_manager_secret"],
    ["gcp:sql/databaseInstance:DatabaseInstance", "google_sql_database_instance"],
    ["gcp:organizations/project:Project", "google_project"],
    ["gcp:projects/iAMMember:IAMMember", "google_project_iam_member"],
    ["gcp:serviceaccount/account:Account", "google_service_account"],
    ["gcp:cloudfunctionsv2/function:Function", "google_cloudfunctions2_function"],
    ["gcp:essentialcontacts/contact:Contact", "google_essential_contacts_contact"],
    ["gcp:essentialcontacts/documentAiProcessor:DocumentAiProcessor", "google_document_ai_processor"],
    ["gcp:certificateauthority/caPool:CaPool", "google_privateca_ca_pool"],
    ["google-native:compute/v1:Disk", "google_compute_disk"],
    ["google-native:container/v1beta1:NodePool", "google_container_node_pool"],
  ])("%s is found as %s", (type, terraform) => {
    expect(declaredEntry(type)?.terraform).toContain(terraform);
    expect(declares(type)).toBe(true);
  });

  test.each([
    "aws_instance",
    "googleworkspace_user",
    "azurerm_subnet",
    "pulumi:providers:gcp",
    "constructor",
  ])("%s doesn't belong to Google Cloud", (type) => {
    expect(declares(type)).toBe(false);
    expect(declaredEntry(type)).toBeUndefined();
  });

  test.each([
    "google_time_machine",
    "gcp:",
    "gcp:time/machine:Machine",
    "google-native:",
    "google_constructor",
  ])("%s belongs to Google Cloud and is unknown", (type) => {
    expect(declares(type)).toBe(true);
    expect(declaredEntry(type)).toBeUndefined();
  });
});

import { describe, expect, test } from "bun:test";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { compareResource, type MatchedResource } from "./compare-resource.ts";

const resource = (
  type: string,
  declared: JsonObject,
  properties: JsonObject,
  more: Partial<MatchedResource> = {},
): MatchedResource => ({ type, address: `${type}.main`, declared, live: { properties }, ...more });

const changesIn = (given: MatchedResource): [path: Path, before: unknown, after: unknown][] =>
  compareResource(given).changes.map(({ path, before, after }) => [path, before, after]);

type Case = [type: string, declared: JsonObject, properties: JsonObject, changes: [Path, Json, Json][]];

const DISKS = { os_disk: [{ caching: "ReadWrite", disk_size_gb: 30 }] };
const ASSUME =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"Service":"ec2.amazonaws.com"}}]}';
const NSG_RULE = { name: "ssh", priority: 100, access: "Deny", protocol: "Tcp" };

const tagChanges = (type: string, tags: Record<string, string>) => {
  const live = { properties: { tags }, tags };
  const { changes } = compareResource(resource(type, { tags: { Team: "a", env: "b" } }, {}, { live }));
  return changes.map(({ path, after }) => [path.join(" "), after]);
};

describe("a live resource differs from its state", () => {
  test.each<Case>([
    [
      "aws_instance",
      { instance_type: "t3.micro", monitoring: false },
      { instanceType: "t3.large", monitoring: { state: "disabled" } },
      [[["instance_type"], "t3.micro", "t3.large"]],
    ],
    [
      "aws_instance",
      { vpc_security_group_ids: ["sg-2", "sg-1"] },
      { SecurityGroupIds: ["sg-1", "sg-2"] },
      [],
    ],
    [
      "aws_db_instance",
      { publicly_accessible: false, instance_class: "db.t3.micro" },
      { publiclyAccessible: true, dBInstanceClass: "db.t3.micro" },
      [[["publicly_accessible"], false, true]],
    ],
    [
      "aws_sqs_queue",
      { visibility_timeout_seconds: 30 },
      { VisibilityTimeout: "60" },
      [[["visibility_timeout_seconds"], 30, 60]],
    ],
    [
      "aws_iam_role",
      { assume_role_policy: ASSUME },
      {
        assumeRolePolicyDocument: encodeURIComponent(
          ASSUME.replace('"sts:AssumeRole"', '["sts:AssumeRole"]'),
        ),
      },
      [],
    ],
    [
      "aws_s3_bucket_versioning",
      { versioning_configuration: [{ status: "Enabled", mfa_delete: "" }] },
      { VersioningConfiguration: { Status: "Suspended" } },
      [[["versioning_configuration", 0, "status"], "Enabled", "Suspended"]],
    ],
    [
      "aws_lambda_function",
      { environment: [{ variables: { STAGE: "prod" } }] },
      { Environment: { Variables: { STAGE: "test" } } },
      [[["environment", 0, "variables", "STAGE"], "prod", "test"]],
    ],
    [
      "aws_security_group",
      { egress: [] },
      { ipPermissionsEgress: [{ ipProtocol: "-1", ipRanges: ["0.0.0.0/0"] }] },
      [
        [
          ["egress", 0],
          null,
          {
            protocol: "-1",
            from_port: 0,
            to_port: 0,
            cidr_blocks: ["0.0.0.0/0"],
            ipv6_cidr_blocks: [],
            prefix_list_ids: [],
            security_groups: [],
            self: false,
            description: "",
          },
        ],
      ],
    ],
    [
      "awscc_kinesis_stream",
      { shard_count: 1, stream_mode_details: { stream_mode: "PROVISIONED" } },
      { ShardCount: 1, StreamModeDetails: { StreamMode: "ON_DEMAND" } },
      [[["stream_mode_details", "stream_mode"], "PROVISIONED", "ON_DEMAND"]],
    ],
    [
      "google_compute_instance",
      { machine_type: "e2-small", deletion_protection: true },
      { machineType: "https://www.googleapis.com/compute/v1/projects/p/zones/z/machineTypes/e2-small" },
      [[["deletion_protection"], true, false]],
    ],
    [
      "google_compute_instance",
      { machine_type: "e2-small" },
      { machineType: "https://www.googleapis.com/compute/v1/projects/p/zones/z/machineTypes/e2-large" },
      [[["machine_type"], "e2-small", "e2-large"]],
    ],
    [
      "google_compute_disk",
      { type: "pd-ssd" },
      { type: "https://www.googleapis.com/compute/v1/projects/p/zones/z/diskTypes/pd-standard" },
      [[["type"], "pd-ssd", "pd-standard"]],
    ],
    [
      "google_compute_subnetwork",
      { network: "projects/p/global/networks/net" },
      { network: "https://www.googleapis.com/compute/v1/projects/p/global/networks/other" },
      [[["network"], "projects/p/global/networks/net", "projects/p/global/networks/other"]],
    ],
    [
      "google_container_cluster",
      { network: "projects/p/global/networks/net", subnetwork: "projects/p/regions/r/subnetworks/s" },
      { network: "net", subnetwork: "s" },
      [],
    ],
    [
      "google_container_cluster",
      { network: "projects/p/global/networks/net", subnetwork: "s" },
      {
        network: "net",
        subnetwork: "s",
        networkConfig: {
          network: "projects/another/global/networks/net",
          subnetwork: "projects/p/regions/r/subnetworks/s",
        },
      },
      [[["network"], "projects/p/global/networks/net", "projects/another/global/networks/net"]],
    ],
    ["google_dns_managed_zone", { visibility: "private" }, { visibility: "PRIVATE" }, []],
    [
      "google_dns_managed_zone",
      { visibility: "private" },
      { visibility: "PUBLIC" },
      [[["visibility"], "private", "public"]],
    ],
    [
      "google_compute_firewall",
      { allow: [{ protocol: "tcp", ports: ["443"] }], source_ranges: ["10.0.0.0/8"] },
      { allowed: [{ IPProtocol: "tcp", ports: ["443"] }], sourceRanges: ["0.0.0.0/0"] },
      [[["source_ranges", 0], "10.0.0.0/8", "0.0.0.0/0"]],
    ],
    [
      "google_storage_bucket",
      { uniform_bucket_level_access: true },
      { iamConfiguration: {} },
      [[["uniform_bucket_level_access"], true, false]],
    ],
    [
      "google_sql_database_instance",
      { settings: [{ tier: "db-f1-micro", disk_size: 10 }] },
      { settings: { tier: "db-n1", dataDiskSizeGb: "10" } },
      [[["settings", 0, "tier"], "db-f1-micro", "db-n1"]],
    ],
    [
      "google_pubsub_topic",
      { message_retention_duration: "600s" },
      { messageRetentionDuration: "1200s" },
      [[["message_retention_duration"], "600s", "1200s"]],
    ],
    [
      "azurerm_storage_account",
      { min_tls_version: "TLS1_2", account_tier: "standard", public_network_access_enabled: true },
      {
        sku: { tier: "Standard" },
        properties: { minimumTlsVersion: "TLS1_0", publicNetworkAccess: "Enabled" },
      },
      [[["min_tls_version"], "TLS1_2", "TLS1_0"]],
    ],
    [
      "azurerm_linux_virtual_machine",
      DISKS,
      { properties: { storageProfile: { osDisk: { caching: "readwrite", diskSizeGB: 64 } } } },
      [[["os_disk", 0, "disk_size_gb"], 30, 64]],
    ],
    [
      "azurerm_network_security_group",
      { security_rule: [NSG_RULE] },
      {
        properties: {
          securityRules: [{ name: "ssh", properties: { priority: 100, access: "Allow", protocol: "TCP" } }],
        },
      },
      [[["security_rule", 0, "access"], "Deny", "Allow"]],
    ],
    [
      "azurerm_key_vault",
      { purge_protection_enabled: true },
      { properties: { enablePurgeProtection: false } },
      [[["purge_protection_enabled"], true, false]],
    ],
    [
      "azapi_resource",
      { body: { properties: { publicAccess: "Off" } } },
      { properties: { publicAccess: "On", more: 1 } },
      [[["body", "properties", "publicAccess"], "Off", "On"]],
    ],
  ])("%s %j", (type, declared, properties, changes) => {
    expect(changesIn(resource(type, declared, properties))).toEqual(changes);
    expect(compareResource(resource(type, declared, properties)).checked).toBe(true);
  });

  test("a type without a mapping or a resource without properties isn't checked", () => {
    expect(compareResource(resource("acme_thing", { size: 1 }, { size: 2 }))).toEqual({
      checked: false,
      changes: [],
      noise: [],
    });
    expect(compareResource(resource("aws_instance", { instance_type: "t3.micro" }, {})).checked).toBe(false);
  });

  test("in its tags; tags set by the cloud are noise", () => {
    const live = { properties: {}, tags: { team: "b", cost: "1", "aws:createdBy": "x" } };
    const declared = { tags: { team: "a" }, tags_all: { team: "a", cost: "1" } };
    const { changes, noise } = compareResource(resource("aws_instance", declared, {}, { live }));
    expect(changes.map(({ path }) => path.join(" "))).toEqual(["tags team", "tags aws:createdBy"]);
    expect(noise.map((one) => [one.class, one.paths])).toEqual([
      ["external_tags", [["tags", "aws:createdBy"]]],
    ]);
  });

  test("in the patch release of a version, which is noise", () => {
    const given = resource("aws_db_instance", { engine_version: "5.7" }, { EngineVersion: "5.7.33" });
    expect(compareResource(given).noise.map((one) => one.class)).toEqual(["equivalent_value"]);
  });

  test("in a redacted secret, which is marked as sensitive", () => {
    const live = { Environment: { Variables: { AWS_KEY: "[redacted]" } } };
    const declared = { environment: [{ variables: {} }] };
    expect(compareResource(resource("aws_lambda_function", declared, live)).changes).toMatchObject([
      {
        path: ["environment", 0, "variables", "AWS_KEY"],
        before: null,
        before_sensitive: false,
        after: "[redacted]",
        after_sensitive: true,
      },
    ]);
  });

  test("in its labels, except those that Cloud Run sets", () => {
    const tags = { team: "a", cost: "1", "cloud.googleapis.com/location": "europe-west1" };
    const declared = { labels: { team: "a" }, effective_labels: { team: "a" } };
    const { changes } = compareResource(
      resource("google_cloud_run_v2_service", declared, {}, { live: { properties: {}, tags } }),
    );
    expect(changes.map(({ path }) => path.join(" "))).toEqual(["effective_labels cost"]);
  });

  test("in its tags, ignoring the case of tag names on Azure", () => {
    for (const type of ["azurerm_storage_account", "azapi_resource", "azure-native:storage:StorageAccount"]) {
      expect(tagChanges(type, { team: "a", ENV: "b" })).toEqual([]);
      expect(tagChanges(type, { team: "b", ENV: "b" })).toEqual([["tags Team", "b"]]);
      expect(tagChanges(type, { ENV: "b", owner: "c" })).toEqual([
        ["tags Team", null],
        ["tags owner", "c"],
      ]);
    }
    expect(tagChanges("aws_instance", { team: "a", env: "b" })).toEqual([
      ["tags Team", null],
      ["tags team", "a"],
    ]);
  });

  test("missing tags are reported only when the listing includes an empty list", () => {
    const declared = { tags: { team: "a" } };
    expect(
      compareResource(resource("aws_instance", declared, {}, { live: { properties: {}, tags: {} } })).changes,
    ).toEqual([]);
    expect(
      compareResource(
        resource("aws_instance", declared, {}, { live: { properties: { Tags: [] }, tags: {} } }),
      ).changes,
    ).toHaveLength(1);
  });
});

describe("secrets", () => {
  test("redacted by the listing don't differ", () => {
    const declared = { environment: [{ variables: { DB_PASSWORD: "hunter2", STAGE: "a" } }] };
    const live = { Environment: { Variables: { DB_PASSWORD: "[redacted]", STAGE: "b" } } };
    const { changes } = compareResource(resource("aws_lambda_function", declared, live));
    expect(changes.map(({ path }) => path)).toEqual([["environment", 0, "variables", "STAGE"]]);
    expect(JSON.stringify(changes)).not.toContain("hunter2");
  });
});

const given = (declared: JsonObject, attributes: JsonObject): MatchedResource =>
  resource("aws_instance", declared, {}, { live: { attributes } });

describe("attributes under the provider's own names", () => {
  const scalar = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1 }),
    fc.constant(true),
  );
  const name = fc.stringMatching(/^[a-z]{3,8}_x$/);
  const attributes: fc.Arbitrary<JsonObject> = fc.dictionary(
    name,
    fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 4 }),
      fc.array(fc.dictionary(name, scalar, { noNullPrototype: true }), { maxLength: 3 }),
    ),
    { minKeys: 1, noNullPrototype: true },
  );

  test("don't differ from themselves in any key order", () => {
    fc.assert(
      fc.property(attributes, (declared) => {
        const reversed = Object.fromEntries(Object.entries(declared).toReversed());
        expect(compareResource(given(declared, structuredClone(reversed)))).toEqual({
          checked: true,
          changes: [],
          noise: [],
        });
      }),
    );
  });

  test("don't differ when a set is reordered", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (ids) => {
        const live = { vpc_security_group_ids: ids.toReversed() };
        expect(changesIn(given({ vpc_security_group_ids: ids }, live))).toEqual([]);
      }),
    );
  });

  test("differ at one path when one item of a set changes", () => {
    const [declared, live] = [
      ["sg-1", "sg-2"],
      ["sg-2", "sg-3"],
    ];
    const set = { vpc_security_group_ids: declared };
    expect(changesIn(given(set, { vpc_security_group_ids: live }))).toEqual([
      [["vpc_security_group_ids", 0], "sg-1", "sg-3"],
    ]);
  });

  test.each<[declared: Json, live: Json, count: number]>([
    [false, null, 0],
    [null, 0, 0],
    [[{ on: false }], [{ on: null }], 0],
    [[{ on: null }], [{ on: false }], 0],
    [[{ size: 5 }], [{ size: null }], 1],
    [5, null, 1],
  ])("of %j and %j have %d changes: null equals zero and false", (declared, live, count) => {
    expect(changesIn(given({ thing: declared }, { thing: live }))).toHaveLength(count);
  });

  test("differ at one path when one value changes", () => {
    fc.assert(
      fc.property(attributes, fc.integer({ min: 0 }), (declared, choice) => {
        const names = Object.keys(declared);
        const changed = names[choice % names.length] ?? "";
        const live = { ...declared, [changed]: "something else that nobody writes" };
        const paths = compareResource(given(declared, live)).changes.map(({ path }) => path[0]);
        expect(new Set(paths)).toEqual(new Set([changed]));
      }),
    );
  });
});

describe("a mapped leaf", () => {
  const leaves: [
    type: string,
    path: Path,
    declared: (value: string) => JsonObject,
    live: (value: string) => JsonObject,
  ][] = [
    [
      "aws_instance",
      ["instance_type"],
      (value) => ({ instance_type: value }),
      (value) => ({ instanceType: value }),
    ],
    [
      "aws_lambda_function",
      ["vpc_config", 0, "subnet_ids", 0],
      (value) => ({ vpc_config: [{ subnet_ids: [value] }] }),
      (value) => ({ VpcConfig: { SubnetIds: [value] } }),
    ],
    [
      "google_pubsub_topic",
      ["kms_key_name"],
      (value) => ({ kms_key_name: value }),
      (value) => ({ kmsKeyName: value }),
    ],
    [
      "azurerm_mssql_server",
      ["administrator_login"],
      (value) => ({ administrator_login: value }),
      (value) => ({ properties: { administratorLogin: value } }),
    ],
  ];
  const word = fc.stringMatching(/^[a-z]{4,12}$/);

  test.each(leaves)("of %s is found at %j only when it changes", (type, path, declared, live) => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const paths = compareResource(resource(type, declared(one), live(other))).changes.map(
          (change) => change.path,
        );
        expect(paths).toEqual(one === other ? [] : [path]);
      }),
    );
  });

  test("no live properties make a comparison fail", () => {
    const types = fc.constantFrom(
      "aws_security_group",
      "google_compute_firewall",
      "azurerm_network_security_group",
      "awscc_x",
      "azapi_resource",
    );
    const anything = fc.json().map((text): Json => JSON.parse(text));
    fc.assert(
      fc.property(types, anything, anything, (type, one, other) => {
        const declared = { ingress: one, allow: one, security_rule: one, body: one };
        const live = { ipPermissions: other, allowed: other, properties: { securityRules: other } };
        expect(() => compareResource(resource(type, declared, live))).not.toThrow();
      }),
    );
  });
});

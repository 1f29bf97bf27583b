import { describe, expect, test } from "bun:test";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";
import fc from "fast-check";

import { inTerraformWords } from "./bridged.ts";
import { compareResource, type Comparison } from "./compare-resource.ts";
import { pulumiOutputs, pulumiType } from "./pulumi.fixture.ts";

function compared(
  type: string,
  outputs: JsonObject,
  properties: JsonObject,
  tags?: Record<string, string>,
): Comparison {
  const { type: terraformType, attributes } = inTerraformWords({ type, attributes: outputs });
  return compareResource({
    type: terraformType,
    address: "urn:pulumi:dev::shop::main",
    declared: attributes,
    live: { properties, ...(tags && { tags }) },
  });
}

const changesIn = (...given: Parameters<typeof compared>): [Path, unknown, unknown][] =>
  compared(...given).changes.map(({ path, before, after }) => [path, before, after]);

type Case = [type: string, outputs: JsonObject, properties: JsonObject, changes: [Path, Json, Json][]];

const FUNCTION = "aws:lambda/function:Function";
const retaining = (backups: number) => ({
  settings: { backupConfiguration: { enabled: true, backupRetentionSettings: { retainedBackups: backups } } },
});
const rule = (cidr: string) => ({ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: [cidr] });
const subnetIn = (group: string) => ({ subnet: { id: `/subscriptions/a/resourceGroups/${group}/x/y` } });
const permission = (cidrIp: string) => ({
  ipProtocol: "tcp",
  fromPort: 443,
  toPort: 443,
  ipRanges: [{ cidrIp }],
});

describe("a live resource differs from its Pulumi declaration", () => {
  test.each<Case>([
    [FUNCTION, { memorySize: 256 }, { MemorySize: 512 }, [[["memory_size"], 256, 512]]],
    [
      FUNCTION,
      { vpcConfig: { subnetIds: ["a"], securityGroupIds: ["sg"] } },
      { VpcConfig: { SubnetIds: ["b"], SecurityGroupIds: ["sg"] } },
      [[["vpc_config", 0, "subnet_ids", 0], "a", "b"]],
    ],
    [
      FUNCTION,
      { environment: { variables: { logLevel: "a", LOG_FORMAT: "json" } } },
      { Environment: { Variables: { logLevel: "b", LOG_FORMAT: "json" } } },
      [[["environment", 0, "variables", "logLevel"], "a", "b"]],
    ],
    [
      "aws:ec2/vpc:Vpc",
      { cidrBlock: "10.0.0.0/16", enableDnsHostnames: true },
      { CidrBlock: "10.0.0.0/16", EnableDnsHostnames: false },
      [[["enable_dns_hostnames"], true, false]],
    ],
    [
      "aws:s3/bucket:Bucket",
      { versioning: { enabled: true, mfaDelete: false } },
      { VersioningConfiguration: { Status: "Suspended" } },
      [[["versioning", 0, "enabled"], true, false]],
    ],
    [
      "aws:s3/bucketV2:BucketV2",
      { versionings: [{ enabled: true, mfaDelete: false }] },
      { VersioningConfiguration: { Status: "Suspended" } },
      [[["versioning", 0, "enabled"], true, false]],
    ],
    [
      "aws:autoscaling/group:Group",
      { vpcZoneIdentifiers: ["subnet-1", "subnet-2"] },
      { VPCZoneIdentifier: "subnet-2,subnet-3" },
      [[["vpc_zone_identifier", 0], "subnet-1", "subnet-3"]],
    ],
    [
      "gcp:pubsub/topic:Topic",
      { messageRetentionDuration: "600s" },
      { messageRetentionDuration: "1200s" },
      [[["message_retention_duration"], "600s", "1200s"]],
    ],
    [
      "gcp:compute/firewall:Firewall",
      { allows: [{ protocol: "tcp", ports: ["443"] }], sourceRanges: ["10.0.0.0/8"] },
      { allowed: [{ IPProtocol: "tcp", ports: ["443"] }], sourceRanges: ["0.0.0.0/0"] },
      [[["source_ranges", 0], "10.0.0.0/8", "0.0.0.0/0"]],
    ],
    [
      "gcp:compute/firewall:Firewall",
      { allows: [{ protocol: "tcp", ports: ["443"] }] },
      { allowed: [{ IPProtocol: "tcp", ports: ["22"] }] },
      [[["allow", 0, "ports", 0], "443", "22"]],
    ],
    [
      "gcp:sql/databaseInstance:DatabaseInstance",
      { settings: { tier: "db-n1", ipConfiguration: { ipv4Enabled: false, requireSsl: true } } },
      { settings: { tier: "db-n1", ipConfiguration: { ipv4Enabled: true, requireSsl: true } } },
      [[["settings", 0, "ip_configuration", 0, "ipv4_enabled"], false, true]],
    ],
    [
      "azure:compute/linuxVirtualMachine:LinuxVirtualMachine",
      { osDisk: { caching: "ReadWrite", diskSizeGb: 30 } },
      { properties: { storageProfile: { osDisk: { caching: "ReadWrite", diskSizeGB: 64 } } } },
      [[["os_disk", 0, "disk_size_gb"], 30, 64]],
    ],
    [
      "azure:network/networkSecurityGroup:NetworkSecurityGroup",
      { securityRules: [{ name: "ssh", access: "Deny", sourcePortRange: "*" }] },
      {
        properties: {
          securityRules: [{ name: "ssh", properties: { access: "Allow", sourcePortRange: "*" } }],
        },
      },
      [[["security_rule", 0, "access"], "Deny", "Allow"]],
    ],
  ])("%s %j", (type, outputs, properties, changes) => {
    expect(changesIn(type, outputs, properties)).toEqual(changes);
  });

  test("in the source of a security group rule", () => {
    const group = "aws:ec2/securityGroup:SecurityGroup";
    const outputs = { ingress: [rule("10.0.0.0/8")] };
    expect(changesIn(group, outputs, { ipPermissions: [permission("10.0.0.0/8")] })).toEqual([]);
    expect(compared(group, outputs, { ipPermissions: [permission("0.0.0.0/0")] }).changes).not.toEqual([]);
  });
});

describe("Pulumi tags", () => {
  const outputs = { tags: { costCenter: "a" }, tagsAll: { costCenter: "a", team_name: "x" } };

  test("keep their keys", () => {
    expect(changesIn(FUNCTION, outputs, {}, { costCenter: "a", team_name: "x" })).toEqual([]);
    expect(changesIn(FUNCTION, outputs, {}, { costCenter: "b", team_name: "y" })).toEqual([
      [["tags_all", "team_name"], "x", "y"],
      [["tags", "costCenter"], "a", "b"],
    ]);
  });

  test("that are fully redacted are compared only where their keys are known", () => {
    const labels = { labels: { team: "a" }, effectiveLabels: REDACTED };
    const type = "gcp:pubsub/topic:Topic";
    expect(changesIn(type, labels, {}, { team: "a", "goog-pulumi-provisioned": "true" })).toEqual([]);
    expect(changesIn(type, labels, {}, { team: "b" })).toEqual([[["labels", "team"], "a", "b"]]);
    const known = { tags: REDACTED, tagsAll: { team: "a" } };
    const { changes } = compared(FUNCTION, known, {}, { team: "b", more: "c" });
    expect(changes.map(({ path }) => path.join("."))).toEqual(["tags_all.team", "tags_all.more"]);
  });

  test("aren't compared with a node group's labels", () => {
    const outputs = { labels: { pool: "a" } };
    const group = "aws:eks/nodeGroup:NodeGroup";
    expect(changesIn(group, outputs, { Labels: { pool: "a" } }, { team: "b" })).toEqual([]);
    expect(changesIn(group, outputs, { Labels: { pool: "b" } })).toEqual([[["labels", "pool"], "a", "b"]]);
  });

  test("of an autoscaling group aren't compared", () => {
    const group = { tags: [{ key: "team", value: "a", propagateAtLaunch: true }] };
    expect(changesIn("aws:autoscaling/group:Group", group, {}, { team: "b" })).toEqual([]);
  });
});

describe("resources of Pulumi's native providers are compared without conversion", () => {
  test.each<Case>([
    ["aws-native:lambda:Function", { memorySize: 256 }, { MemorySize: 512 }, [[["memorySize"], 256, 512]]],
    [
      "aws-native:lambda:Function",
      { environment: { variables: { LOG_LEVEL: "a", mode: "x" } } },
      { Environment: { Variables: { LOG_LEVEL: "b", mode: "x" } } },
      [[["environment", "variables", "LOG_LEVEL"], "a", "b"]],
    ],
    [
      "aws-native:rds:DbInstance",
      { dbInstanceClass: "db.t3.micro", vpcSecurityGroups: ["sg-a"], tags: [{ key: "team", value: "a" }] },
      { DBInstanceClass: "db.t3.large", VPCSecurityGroups: ["sg-a"], Tags: [{ Key: "team", Value: "b" }] },
      [
        [["dbInstanceClass"], "db.t3.micro", "db.t3.large"],
        [["tags", 0, "value"], "a", "b"],
      ],
    ],
    [
      "azure-native:storage:StorageAccount",
      { location: "West Europe", minimumTlsVersion: "TLS1_2", sku: { name: "Standard_LRS" } },
      { location: "westeurope", sku: { name: "Standard_GRS" }, properties: { minimumTlsVersion: "TLS1_0" } },
      [
        [["minimumTlsVersion"], "TLS1_2", "TLS1_0"],
        [["sku", "name"], "Standard_LRS", "Standard_GRS"],
      ],
    ],
    [
      "azure-native_network_v20230201:network:VirtualNetwork",
      { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, enableDdosProtection: false },
      { properties: { addressSpace: { addressPrefixes: ["10.1.0.0/16"] }, enableDdosProtection: false } },
      [[["addressSpace", "addressPrefixes", 0], "10.0.0.0/16", "10.1.0.0/16"]],
    ],
  ])("%s %j differs from live %j", (type, outputs, properties, changes) => {
    expect(changesIn(type, outputs, properties)).toEqual(changes);
  });

  test("Azure ids are equal in any case", () => {
    expect(changesIn("azure-native:x:Y", subnetIn("RG"), subnetIn("rg"))).toEqual([]);
    expect(changesIn("azure-native:x:Y", subnetIn("RG"), subnetIn("other"))).toHaveLength(1);
  });

  test("tags are compared when they are a map", () => {
    const tags = { tags: { team: "a" } };
    expect(changesIn("azure-native:network:Subnet", tags, {}, { team: "b" })).toEqual([
      [["tags", "team"], "a", "b"],
    ]);
  });
});

describe("a value that can't be converted reliably isn't checked", () => {
  test.each<[why: string, type: string, outputs: JsonObject, properties: JsonObject]>([
    ["an unknown type", "aws:x/unheardOf:UnheardOf", { size: 1 }, { Size: 2 }],
    ["an unknown provider", "google-native:x:Y", { memorySize: 1 }, { memorySize: 2 }],
    [
      "a list that two APIs define differently",
      "aws-native:ec2:Instance",
      { securityGroups: ["web"] },
      { SecurityGroups: [{ GroupId: "sg-1", GroupName: "web" }] },
    ],
    [
      "an object that may be a map or a block",
      "gcp:pubsub/topic:Topic",
      { messageStoragePolicy: { allowedPersistenceRegions: ["a"] } },
      { messageStoragePolicy: { allowedPersistenceRegions: ["b"] } },
    ],
    [
      "blocks that no table lists",
      "gcp:compute/instance:Instance",
      { guestAccelerators: [{ type: "a" }] },
      { guestAccelerators: [{ type: "b" }] },
    ],
    [
      "a plural name that is a separate attribute",
      "azure:network/networkSecurityRule:NetworkSecurityRule",
      { sourcePortRanges: ["1"] },
      { properties: { sourcePortRange: "2" } },
    ],
    ["a secret", FUNCTION, { environment: REDACTED }, { Environment: { Variables: { A: "b" } } }],
    ["an attribute that Pulumi renames", FUNCTION, { name: "a" }, { FunctionName: "b" }],
  ])("%s", (_, type, outputs, properties) => {
    expect(compared(type, outputs, properties)).toEqual({ checked: false, changes: [], noise: [] });
  });

  test("an object in a block that may be a map or a block isn't compared", () => {
    expect(changesIn("gcp:sql/databaseInstance:DatabaseInstance", retaining(7), retaining(9))).toEqual([]);
  });

  test("a Terraform declaration is returned unchanged", () => {
    const declared = { type: "aws_lambda_function", attributes: { memory_size: 1, fooBar: { aB: 1 } } };
    expect(inTerraformWords(declared)).toEqual(declared);
  });

  test("no state makes a comparison fail", () => {
    const types = fc.constantFrom(
      "aws_security_group",
      "aws_lambda_function",
      "google_compute_firewall",
      "google_sql_database_instance",
      "azurerm_network_security_group",
    );
    const names =
      "ingress vpcConfig environment tags tagsAll allows settings securityRules labels effectiveLabels";
    const anything = fc.json().map((text): Json => JSON.parse(text));
    fc.assert(
      fc.property(types, anything, anything, fc.boolean(), (type, one, other, flat) => {
        const outputs = Object.fromEntries(names.split(" ").map((name) => [name, one]));
        const live = { ipPermissions: other, allowed: other, settings: other, VpcConfig: other };
        const given = pulumiOutputs(outputs, { flat });
        expect(() => compared(pulumiType(type), given, live, { a: "b" })).not.toThrow();
      }),
    );
  });
});

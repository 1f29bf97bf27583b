import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { create, findings, remove, findingBy, update, type Given, type Rating } from "./change.fixture.ts";

const STORAGE = "Microsoft.Storage/storageAccounts@2023-01-01";
const GROUP = "Microsoft.Network/networkSecurityGroups@2023-09-01";

const azapi = (type: string, properties: JsonObject = {}): JsonObject => ({ type, body: { properties } });
const manifest = (apiVersion: string, kind: string): JsonObject => ({ manifest: { apiVersion, kind } });
const admitting = (sourceAddressPrefix: string): JsonObject => ({
  securityRules: [
    {
      name: "in",
      properties: {
        access: "Allow",
        direction: "Inbound",
        protocol: "Tcp",
        sourceAddressPrefix,
        destinationPortRange: "22",
      },
    },
  ],
});

describe("a resource of a provider that mirrors a cloud API is judged like the cloud's own", () => {
  test.each<[string, rule: string, Given, Rating]>([
    [
      "a table of the Cloud Control provider",
      "R01",
      remove("awscc_dynamodb_table"),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a database with a different type name",
      "R01",
      remove("awscc_rds_db_instance"),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a key of Pulumi's native provider",
      "R03",
      remove("aws-native:kms:Key"),
      ["destroy_key_material", "critical", "critical"],
    ],
    [
      "a recorder of Pulumi's native provider",
      "R14",
      remove("aws-native:configuration:ConfigurationRecorder"),
      ["audit_weakened", "medium", "high"],
    ],
    [
      "a storage account of azapi",
      "R01",
      remove("azapi_resource", azapi(STORAGE)),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a database of Pulumi's native provider in an older version",
      "R01",
      remove("azure-native_sql_v20230501:sql:Database"),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a network of Pulumi's native provider",
      "R04",
      remove("azure-native:network:VirtualNetwork"),
      ["destroy_container", "critical", "critical"],
    ],
    [
      "a database of Pulumi's native provider without deletion protection",
      "R02",
      update("aws-native:rds:DbInstance", { deletionProtection: true }, { deletionProtection: false }),
      ["protection_removed", "medium", "high"],
    ],
    [
      "a bucket of Pulumi's native provider without a public access block",
      "R10",
      update(
        "aws-native:s3:Bucket",
        { publicAccessBlockConfiguration: { blockPublicAcls: true } },
        { publicAccessBlockConfiguration: { blockPublicAcls: false } },
      ),
      ["public_access_unblocked", "medium", "high"],
    ],
    [
      "a storage account of Pulumi's native provider with public network access",
      "R10",
      update(
        "azure-native:storage:StorageAccount",
        { publicNetworkAccess: "Disabled" },
        { publicNetworkAccess: "Enabled" },
      ),
      ["public_access_unblocked", "medium", "high"],
    ],
    [
      "a security group of Pulumi's native provider open to everyone",
      "R09",
      create("aws-native:ec2:SecurityGroup", {
        securityGroupIngress: [{ cidrIp: "0.0.0.0/0", ipProtocol: "tcp", fromPort: 22, toPort: 22 }],
      }),
      ["internet_exposure", "medium", "critical"],
    ],
    [
      "a security rule of Pulumi's native provider open to everyone",
      "R09",
      create("azure-native:network:SecurityRule", {
        access: "Allow",
        direction: "Inbound",
        protocol: "Tcp",
        sourceAddressPrefix: "*",
        destinationPortRange: "22",
      }),
      ["internet_exposure", "medium", "critical"],
    ],
    [
      "a bucket without a public access block",
      "R10",
      update(
        "awscc_s3_bucket",
        { public_access_block_configuration: { block_public_acls: true } },
        { public_access_block_configuration: { block_public_acls: false } },
      ),
      ["public_access_unblocked", "medium", "high"],
    ],
    [
      "a volume claim in a Kubernetes manifest",
      "R01",
      remove("kubernetes_manifest", manifest("v1", "PersistentVolumeClaim")),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a namespace in a YAML manifest",
      "R01",
      remove("kubectl_manifest", { api_version: "v1", kind: "Namespace", yaml_body: "[redacted]" }),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a deployment in a Kubernetes manifest",
      "R17",
      remove("kubernetes_manifest", manifest("apps/v1", "Deployment")),
      ["destroy_serving", "high", "high"],
    ],
    [
      "a security group open to everyone",
      "R09",
      update(
        "awscc_ec2_security_group",
        { security_group_ingress: [] },
        {
          security_group_ingress: [
            { ip_protocol: "tcp", from_port: 22, to_port: 22, cidr_ip: "0.0.0.0/0", cidr_ipv_6: null },
          ],
        },
      ),
      ["internet_exposure", "medium", "critical"],
    ],
    [
      "a network security group open to everyone",
      "R09",
      update("azapi_resource", azapi(GROUP, admitting("10.0.0.0/8")), azapi(GROUP, admitting("*"))),
      ["internet_exposure", "medium", "critical"],
    ],
    [
      "a storage account with public containers",
      "R10",
      update(
        "azapi_resource",
        azapi(STORAGE, { allowBlobPublicAccess: false }),
        azapi(STORAGE, { allowBlobPublicAccess: true }),
      ),
      ["public_access_unblocked", "medium", "high"],
    ],
  ])("%s", (_, rule, given, expected) => {
    expect(findingBy(rule, given)?.slice(0, 3)).toEqual(expected);
  });

  test("an unknown type is judged by itself", () => {
    for (const type of ["awscc_quantum_qubit", "azapi_resource", "azure-native:x:Y", "aws-native:x"]) {
      expect(findings([remove(type)]).map(({ flag }) => flag)).toEqual(["destroy"]);
    }
  });
});

test.each([
  ["a cluster of PostgreSQL", "postgresql.cnpg.io/v1", "Cluster", "maybe_stateful"],
  ["a topic of Kafka", "kafka.strimzi.io/v1beta2", "KafkaTopic", "maybe_stateful"],
  ["a gateway", "gateway.networking.k8s.io/v1", "Gateway", "destroy_serving"],
  ["an application", "argoproj.io/v1alpha1", "Application", "destroy_serving"],
  [
    "a definition, with all that it defines",
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    "destroy_container",
  ],
  ["a reference to a repository", "source.toolkit.fluxcd.io/v1", "GitRepository", "destroy"],
  ["a kind of nobody", "acme.example.com/v1", "Page", "destroy"],
  ["a kind that isn't a name", "acme.example.com/v1", "<b>Database", "destroy"],
])("%s in a manifest is judged by its group and kind", (_, group, kind, expected) => {
  const given = remove("kubernetes_manifest", manifest(group, kind));
  expect(findings([given]).map(({ flag }) => flag)).toEqual([expected]);
});

test("a custom Kubernetes resource isn't judged as a built-in kind of the same name", () => {
  const given = remove("kubernetes_manifest", manifest("serving.knative.dev/v1", "Service"));
  expect(findings([given]).map(({ flag }) => flag)).toEqual(["destroy"]);
});

test("a Kubernetes manifest is named by its kind", () => {
  const [finding] = findings([remove("kubernetes_manifest", manifest("v1", "PersistentVolumeClaim"))]);
  expect(finding?.message).toStartWith("Deletes this PersistentVolumeClaim: ");
});

const messageOf = (type: string) => findings([remove("azapi_resource", azapi(type))])[0]?.message;

test("an update of another resource isn't judged as that resource", () => {
  const given = remove("azapi_update_resource", azapi(STORAGE));
  expect(findings([given]).map(({ flag }) => flag)).toEqual(["destroy"]);
});

test("an azapi resource is named by its API type if it is valid", () => {
  expect(messageOf(STORAGE)).toStartWith("Deletes this Microsoft.Storage/storageAccounts: ");
  expect(messageOf("<b>anything</b>")).toBe("Deletes it");
});

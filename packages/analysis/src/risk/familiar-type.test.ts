import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { create, findings, remove, said, update, type Given, type Said } from "./change.fixture.ts";

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

describe("a resource of a provider that mirrors a cloud's API is judged as the cloud's own", () => {
  test.each<[string, rule: string, Given, Said]>([
    [
      "a table of the Cloud Control provider",
      "R01",
      remove("awscc_dynamodb_table"),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a database whose types have other names",
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
      "a storage account of the generic provider",
      "R01",
      remove("azapi_resource", azapi(STORAGE)),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a database of Pulumi's native provider, in an older version",
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
      "a database of Pulumi's native provider that may be deleted",
      "R02",
      update("aws-native:rds:DbInstance", { deletionProtection: true }, { deletionProtection: false }),
      ["protection_removed", "medium", "high"],
    ],
    [
      "a bucket of Pulumi's native provider that isn't kept from the public",
      "R10",
      update(
        "aws-native:s3:Bucket",
        { publicAccessBlockConfiguration: { blockPublicAcls: true } },
        { publicAccessBlockConfiguration: { blockPublicAcls: false } },
      ),
      ["public_data", "medium", "critical"],
    ],
    [
      "an account of Pulumi's native provider that the internet reaches",
      "R10",
      update(
        "azure-native:storage:StorageAccount",
        { publicNetworkAccess: "Disabled" },
        { publicNetworkAccess: "Enabled" },
      ),
      ["public_data", "medium", "critical"],
    ],
    [
      "a security group of Pulumi's native provider that lets everybody in",
      "R09",
      create("aws-native:ec2:SecurityGroup", {
        securityGroupIngress: [{ cidrIp: "0.0.0.0/0", ipProtocol: "tcp", fromPort: 22, toPort: 22 }],
      }),
      ["internet_exposure", "medium", "critical"],
    ],
    [
      "a security rule of Pulumi's native provider that lets everybody in",
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
      "a bucket that isn't kept from the public",
      "R10",
      update(
        "awscc_s3_bucket",
        { public_access_block_configuration: { block_public_acls: true } },
        { public_access_block_configuration: { block_public_acls: false } },
      ),
      ["public_data", "medium", "critical"],
    ],
    [
      "a volume claim that a Kubernetes manifest declares",
      "R01",
      remove("kubernetes_manifest", manifest("v1", "PersistentVolumeClaim")),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a namespace that a manifest in YAML declares",
      "R01",
      remove("kubectl_manifest", { api_version: "v1", kind: "Namespace", yaml_body: "[redacted]" }),
      ["destroy_stateful", "critical", "critical"],
    ],
    [
      "a deployment that a Kubernetes manifest declares",
      "R17",
      remove("kubernetes_manifest", manifest("apps/v1", "Deployment")),
      ["destroy_serving", "high", "high"],
    ],
    [
      "a security group that lets everybody in",
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
      "a network security group that lets everybody in",
      "R09",
      update("azapi_resource", azapi(GROUP, admitting("10.0.0.0/8")), azapi(GROUP, admitting("*"))),
      ["internet_exposure", "medium", "critical"],
    ],
    [
      "a storage account whose containers may be public",
      "R10",
      update(
        "azapi_resource",
        azapi(STORAGE, { allowBlobPublicAccess: false }),
        azapi(STORAGE, { allowBlobPublicAccess: true }),
      ),
      ["public_data", "medium", "critical"],
    ],
  ])("%s", (_, rule, given, expected) => {
    expect(said(rule, given)?.slice(0, 3)).toEqual(expected);
  });

  test("what nobody knows stays what it is", () => {
    for (const type of ["awscc_quantum_qubit", "azapi_resource", "azure-native:x:Y", "aws-native:x"]) {
      expect(findings([remove(type)]).map(({ flag }) => flag)).toEqual(["destroy"]);
    }
  });
});

test("what extends Kubernetes' API isn't of its types by the name alone", () => {
  const given = remove("kubernetes_manifest", manifest("serving.knative.dev/v1", "Service"));
  expect(findings([given]).map(({ flag }) => flag)).toEqual(["destroy"]);
});

test("what a Kubernetes manifest declares goes by its kind", () => {
  const [finding] = findings([remove("kubernetes_manifest", manifest("v1", "PersistentVolumeClaim"))]);
  expect(finding?.message).toStartWith("Destroying this PersistentVolumeClaim ");
});

const messageOf = (type: string) => findings([remove("azapi_resource", azapi(type))])[0]?.message;

test("what only changes another resource isn't that resource", () => {
  const given = remove("azapi_update_resource", azapi(STORAGE));
  expect(findings([given]).map(({ flag }) => flag)).toEqual(["destroy"]);
});

test("a resource that is declared by the API's own type goes by that, if it is one", () => {
  expect(messageOf(STORAGE)).toStartWith("Destroying this Microsoft.Storage/storageAccounts ");
  expect(messageOf("<b>anything</b>")).toStartWith("This azapi_resource ");
});

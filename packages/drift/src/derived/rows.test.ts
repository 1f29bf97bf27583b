import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../compare-resource.ts";
import { mapperOf } from "../tables.ts";
import { derivedTypes, entriesOf, fixedOf, type Entry } from "./table.ts";

function changed(type: string, declared: JsonObject, properties: JsonObject): string[] {
  const { changes } = compareResource({ type, address: "x", declared, live: { properties } });
  return changes.map(({ path }) => path.join("."));
}

const policy = (principal: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "es:*", Resource: "*", Principal: principal }],
});

test("the type of an Azure resource is never taken for an attribute", () => {
  const declared = { type: "OmsAgentForLinux" };
  const live = {
    type: "Microsoft.Compute/virtualMachines/extensions",
    properties: { type: "OmsAgentForLinux" },
  };
  expect(changed("azurerm_virtual_machine_extension", declared, live)).toEqual([]);
  const own = derivedTypes().filter((type) =>
    entriesOf(type).some(({ live }) => /^\/(?:type|name|id)$/.test(live)),
  );
  expect(own).toEqual([]);
});

test.each([
  ["azurerm_api_management", "Developer_1", { name: "Developer", capacity: 1 }],
  ["azurerm_eventhub_cluster", "Dedicated_1", { name: "Dedicated", capacity: 1 }],
  ["azurerm_redis_enterprise_cluster", "Enterprise_E10-2", { name: "Enterprise_E10", capacity: 2 }],
  [
    "azurerm_mysql_flexible_server",
    "GP_Standard_D2ds_v4",
    { name: "Standard_D2ds_v4", tier: "GeneralPurpose" },
  ],
])("the SKU of %s is compared in the provider's spelling", (type, sku_name, sku) => {
  expect(changed(type, { sku_name }, { sku, properties: {} })).toEqual([]);
  expect(changed(type, { sku_name }, { sku: { ...sku, name: "Other" }, properties: {} })).toEqual([
    "sku_name",
  ]);
});

describe("a change in the cloud is reported", () => {
  test.each<[string, string, JsonObject, JsonObject, JsonObject, string]>([
    [
      "of a policy that the cloud has as a document",
      "aws_elasticsearch_domain",
      { access_policies: JSON.stringify(policy("arn:aws:iam::1:root")) },
      { AccessPolicies: policy("arn:aws:iam::1:root") },
      { AccessPolicies: policy("*") },
      "access_policies",
    ],
    [
      "of a policy that the schema calls a text",
      "aws_secretsmanager_secret_policy",
      { policy: JSON.stringify(policy("arn:aws:iam::1:root")) },
      { ResourcePolicy: policy("arn:aws:iam::1:root") },
      { ResourcePolicy: policy("*") },
      "policy",
    ],
    [
      "of a switch in a block",
      "aws_elb",
      { access_logs: [{ bucket: "logs", enabled: true }] },
      { AccessLoggingPolicy: { S3BucketName: "logs", Enabled: true } },
      { AccessLoggingPolicy: { S3BucketName: "logs", Enabled: false } },
      "access_logs.0.enabled",
    ],
    [
      "of one of several blocks, in any order and with numbers as text",
      "aws_elb",
      {
        listener: [
          { lb_port: 443, lb_protocol: "https", instance_port: 80, instance_protocol: "http" },
          { lb_port: 80, lb_protocol: "http", instance_port: 80, instance_protocol: "http" },
        ],
      },
      {
        Listeners: [
          { LoadBalancerPort: "80", InstancePort: "80", InstanceProtocol: "HTTP" },
          { LoadBalancerPort: "443", InstancePort: "80", InstanceProtocol: "HTTP" },
        ],
      },
      {
        Listeners: [
          { LoadBalancerPort: "80", InstancePort: "80", InstanceProtocol: "HTTP" },
          { LoadBalancerPort: "443", InstancePort: "8080", InstanceProtocol: "HTTP" },
        ],
      },
      "listener.0.instance_port",
    ],
    [
      "of a list in another order",
      "aws_elb",
      { security_groups: ["sg-1", "sg-2"] },
      { SecurityGroups: ["sg-2", "sg-1"] },
      { SecurityGroups: ["sg-2", "sg-3"] },
      "security_groups.0",
    ],
    [
      "of a reference by name where the cloud has an ARN",
      "aws_mwaa_environment",
      { execution_role_arn: "arn:aws:iam::1:role/airflow" },
      { ExecutionRoleArn: "arn:aws:iam::1:role/airflow" },
      { ExecutionRoleArn: "arn:aws:iam::1:role/admin" },
      "execution_role_arn",
    ],
    [
      "of a Neptune cluster's key",
      "aws_neptune_cluster",
      { kms_key_arn: "arn:aws:kms:eu-west-1:1:key/1" },
      { KmsKeyId: "arn:aws:kms:eu-west-1:1:key/1" },
      { KmsKeyId: "arn:aws:kms:eu-west-1:1:key/2" },
      "kms_key_arn",
    ],
    [
      "of a notebook's volume",
      "aws_sagemaker_notebook_instance",
      { volume_size: 5 },
      { VolumeSizeInGB: 5 },
      { VolumeSizeInGB: 500 },
      "volume_size",
    ],
    [
      "of a switch under the name that an older provider gives it",
      "azurerm_servicebus_queue",
      { enable_batched_operations: true },
      { properties: { enableBatchedOperations: true } },
      { properties: { enableBatchedOperations: false } },
      "enable_batched_operations",
    ],
    [
      "of a type that only an older provider has",
      "azurerm_sql_firewall_rule",
      { start_ip_address: "10.0.0.1", end_ip_address: "10.0.0.9" },
      { properties: { startIpAddress: "10.0.0.1", endIpAddress: "10.0.0.9" } },
      { properties: { startIpAddress: "10.0.0.1", endIpAddress: "255.255.255.255" } },
      "end_ip_address",
    ],
    [
      "of a word in any case in Azure",
      "azurerm_mssql_server_security_alert_policy",
      { state: "Enabled" },
      { properties: { state: "enabled" } },
      { properties: { state: "Disabled" } },
      "state",
    ],
    [
      "of a child whose details Azure has one level deeper",
      "azurerm_application_gateway",
      { http_listener: [{ name: "web", protocol: "Https" }] },
      { properties: { httpListeners: [{ name: "web", properties: { protocol: "Https" } }] } },
      { properties: { httpListeners: [{ name: "web", properties: { protocol: "Http" } }] } },
      "http_listener.0.protocol",
    ],
    [
      "of the kubelet of a cluster's default nodes",
      "azurerm_kubernetes_cluster",
      { default_node_pool: [{ name: "main", kubelet_config: [{ allowed_unsafe_sysctls: ["a"] }] }] },
      {
        properties: {
          agentPoolProfiles: [
            { name: "other" },
            { name: "main", kubeletConfig: { allowedUnsafeSysctls: ["a"] } },
          ],
        },
      },
      {
        properties: {
          agentPoolProfiles: [{ name: "main", kubeletConfig: { allowedUnsafeSysctls: ["a", "b"] } }],
        },
      },
      "default_node_pool.0.kubelet_config.0.allowed_unsafe_sysctls",
    ],
    [
      "of the version of Node.js on Linux",
      "azurerm_linux_web_app",
      { site_config: [{ application_stack: [{ node_version: "20-lts" }] }] },
      { properties: { siteConfig: { linuxFxVersion: "NODE|20-lts" } } },
      { properties: { siteConfig: { linuxFxVersion: "NODE|16-lts" } } },
      "site_config.0.application_stack.0.node_version",
    ],
    [
      "of a gateway's host name",
      "azurerm_api_management",
      {
        hostname_configuration: [
          { proxy: [{ host_name: "api.example.com", negotiate_client_certificate: true }] },
        ],
      },
      {
        properties: {
          hostnameConfigurations: [
            { type: "Proxy", hostName: "shop.azure-api.net", negotiateClientCertificate: false },
            { type: "Proxy", hostName: "api.example.com", negotiateClientCertificate: true },
          ],
        },
      },
      {
        properties: {
          hostnameConfigurations: [
            { type: "Proxy", hostName: "api.example.com", negotiateClientCertificate: false },
          ],
        },
      },
      "hostname_configuration.0.proxy.0.negotiate_client_certificate",
    ],
    [
      "of what an alert watches",
      "azurerm_monitor_metric_alert",
      { criteria: [{ metric_name: "Errors", threshold: 5, operator: "GreaterThan" }] },
      {
        properties: {
          criteria: { allOf: [{ metricName: "Errors", threshold: 5, operator: "GreaterThan" }] },
        },
      },
      {
        properties: {
          criteria: { allOf: [{ metricName: "Errors", threshold: 500, operator: "GreaterThan" }] },
        },
      },
      "criteria.0.threshold",
    ],
    [
      "of a cache behavior that AWS Config records as an object with its items",
      "aws_cloudfront_distribution",
      {
        ordered_cache_behavior: [{ path_pattern: "/api/*", cached_methods: ["GET", "HEAD"], compress: true }],
      },
      {
        DistributionConfig: {
          CacheBehaviors: {
            quantity: 1,
            items: [
              {
                pathPattern: "/api/*",
                cachedMethods: { quantity: 2, items: ["HEAD", "GET"] },
                compress: true,
              },
            ],
          },
        },
      },
      {
        DistributionConfig: {
          CacheBehaviors: {
            quantity: 1,
            items: [
              { pathPattern: "/api/*", cachedMethods: { quantity: 1, items: ["GET"] }, compress: true },
            ],
          },
        },
      },
      "ordered_cache_behavior.0.cached_methods",
    ],
    [
      "of one kind of nodes in a list of all kinds",
      "azurerm_hdinsight_kafka_cluster",
      { roles: [{ worker_node: [{ target_instance_count: 3 }] }] },
      {
        properties: {
          computeProfile: {
            roles: [
              { name: "headnode", targetInstanceCount: 2 },
              { name: "workernode", targetInstanceCount: 3 },
            ],
          },
        },
      },
      {
        properties: {
          computeProfile: {
            roles: [
              { name: "headnode", targetInstanceCount: 2 },
              { name: "workernode", targetInstanceCount: 30 },
            ],
          },
        },
      },
      "roles.0.worker_node.0.target_instance_count",
    ],
    [
      "of a switch that one side calls enabled and the other isEnabled",
      "azurerm_mssql_server_vulnerability_assessment",
      { recurring_scans: [{ enabled: true, emails: ["a@example.com"] }] },
      { properties: { recurringScans: { isEnabled: true, emails: ["a@example.com"] } } },
      { properties: { recurringScans: { isEnabled: false, emails: ["a@example.com"] } } },
      "recurring_scans.0.enabled",
    ],
    [
      "of the response that a firewall gives to blocked requests",
      "aws_wafv2_web_acl",
      {
        rule: [
          {
            name: "limit",
            action: [{ block: [{ custom_response: [{ response_code: 429 }] }], allow: [] }],
          },
        ],
      },
      { Rules: [{ Name: "limit", Action: { Block: { CustomResponse: { ResponseCode: 429 } } } }] },
      { Rules: [{ Name: "limit", Action: { Block: { CustomResponse: { ResponseCode: 200 } } } }] },
      "rule.0.action.0.block.0.custom_response.0.response_code",
    ],
    [
      "of a node's accelerators, which Google names otherwise",
      "google_container_node_pool",
      { node_config: [{ guest_accelerator: [{ type: "nvidia-l4", count: 1 }] }] },
      { config: { accelerators: [{ acceleratorType: "nvidia-l4", acceleratorCount: "1" }] } },
      { config: { accelerators: [{ acceleratorType: "nvidia-l4", acceleratorCount: "8" }] } },
      "node_config.0.guest_accelerator.0.count",
    ],
    [
      "of the services that a perimeter protects",
      "google_access_context_manager_service_perimeter",
      { status: [{ restricted_services: ["storage.googleapis.com"] }] },
      { status: { restrictedServices: ["storage.googleapis.com"] } },
      { status: { restrictedServices: [] } },
      "status.0.restricted_services",
    ],
    [
      "of a firewall that AWS Config records",
      "aws_networkfirewall_firewall",
      { delete_protection: true },
      { firewall: { deleteProtection: true } },
      { firewall: { deleteProtection: false } },
      "delete_protection",
    ],
    [
      "of a secret's key that AWS Config records",
      "aws_secretsmanager_secret",
      { kms_key_id: "arn:aws:kms:eu-west-1:1:key/1" },
      { KMSKeyId: "arn:aws:kms:eu-west-1:1:key/1" },
      { KMSKeyId: "arn:aws:kms:eu-west-1:1:key/2" },
      "kms_key_id",
    ],
    [
      "of a type whose name starts like a data source's",
      "azurerm_data_factory_pipeline",
      { concurrency: 1 },
      { properties: { concurrency: 1 } },
      { properties: { concurrency: 50 } },
      "concurrency",
    ],
    [
      "of a setting that Google has inside another",
      "google_container_cluster",
      { in_transit_encryption_config: "IN_TRANSIT_ENCRYPTION_INTER_NODE_TRANSPARENT" },
      { networkConfig: { inTransitEncryptionConfig: "IN_TRANSIT_ENCRYPTION_INTER_NODE_TRANSPARENT" } },
      { networkConfig: { inTransitEncryptionConfig: "IN_TRANSIT_ENCRYPTION_DISABLED" } },
      "in_transit_encryption_config",
    ],
    [
      "of a block that Google has inside another, under other names",
      "google_compute_instance_template",
      { guest_accelerator: [{ type: "nvidia-l4", count: 1 }] },
      { properties: { guestAccelerators: [{ acceleratorType: "nvidia-l4", acceleratorCount: 1 }] } },
      { properties: { guestAccelerators: [{ acceleratorType: "nvidia-l4", acceleratorCount: 8 }] } },
      "guest_accelerator.0.count",
    ],
    [
      "of metadata of an instance template",
      "google_compute_instance_template",
      { metadata: { "enable-oslogin": "TRUE" } },
      { properties: { metadata: { items: [{ key: "enable-oslogin", value: "TRUE" }] } } },
      { properties: { metadata: { items: [{ key: "enable-oslogin", value: "FALSE" }] } } },
      "metadata.enable-oslogin",
    ],
    [
      "of the disk that an instance starts from",
      "google_compute_instance",
      { boot_disk: [{ auto_delete: true, device_name: "boot", mode: "", source: "disks/vm" }] },
      {
        disks: [
          { boot: true, autoDelete: true, deviceName: "boot", mode: "READ_WRITE", source: "x/disks/vm" },
        ],
      },
      {
        disks: [
          { deviceName: "data", source: "x/disks/data" },
          { boot: true, autoDelete: false, deviceName: "boot", source: "x/disks/vm" },
        ],
      },
      "boot_disk.0.auto_delete",
    ],
    [
      "of a category of logs that was disabled",
      "azurerm_monitor_diagnostic_setting",
      { enabled_log: [{ category: "AuditEvent" }] },
      {
        properties: {
          logs: [
            { category: "AuditEvent", enabled: true },
            { category: "Other", enabled: false },
          ],
        },
      },
      { properties: { logs: [{ category: "AuditEvent", enabled: false }] } },
      "enabled_log.0",
    ],
    [
      "of a document with another member beside it",
      "aws_cloudwatch_log_delivery_destination_policy",
      { delivery_destination_policy: JSON.stringify(policy("logs")) },
      {
        DeliveryDestinationPolicy: {
          DeliveryDestinationName: "d",
          DeliveryDestinationPolicy: policy("logs"),
        },
      },
      { DeliveryDestinationPolicy: { DeliveryDestinationName: "d", DeliveryDestinationPolicy: policy("*") } },
      "delivery_destination_policy",
    ],
  ])("%s", (_fact, ...[type, declared, same, other, path]) => {
    expect(changed(type, declared, same)).toEqual([]);
    expect(changed(type, declared, other)).toEqual([path]);
  });
});

describe("nothing is reported", () => {
  test.each<[string, string, JsonObject, JsonObject]>([
    [
      "of a value that the state lacks, because the cloud can fill in a default",
      "aws_elb",
      { idle_timeout: null, access_logs: [], security_groups: [] },
      {
        ConnectionSettings: { IdleTimeout: 60 },
        AccessLoggingPolicy: { Enabled: false },
        SecurityGroups: ["sg-1"],
      },
    ],
    [
      "of a value that the state lacks and Google has inside another",
      "google_container_cluster",
      { in_transit_encryption_config: null, dns_config: [] },
      { networkConfig: { inTransitEncryptionConfig: "X", dnsConfig: { clusterDns: "CLOUD_DNS" } } },
    ],
    [
      "of a block that is gone and had no value",
      "google_compute_subnetwork",
      { log_config: [{ aggregation_interval: "", flow_sampling: 0, metadata_fields: [] }] },
      { name: "main" },
    ],
    [
      "of a number that Google writes as an empty text",
      "google_bigquery_dataset",
      { default_table_expiration_ms: 0 },
      { defaultTableExpirationMs: "" },
    ],
    ["of a document that has no content", "aws_sns_topic_policy", { policy: "" }, { PolicyDocument: {} }],
    [
      "of a switch that the state lacks and Azure negates",
      "azurerm_search_service",
      { local_authentication_enabled: null },
      { properties: { disableLocalAuth: false } },
    ],
    ["of a member that an answer omits", "aws_elb", { idle_timeout: 30, security_groups: ["sg-1"] }, {}],
    [
      "of a key that the state names by an alias",
      "aws_bedrock_guardrail",
      { kms_key_arn: "arn:aws:kms:eu-west-1:1:alias/data" },
      { KmsKeyArn: "arn:aws:kms:eu-west-1:1:key/2" },
    ],
  ])("%s", (_fact, type, declared, properties) => {
    expect(changed(type, declared, properties)).toEqual([]);
  });

  test("of an attribute that the provider's schema marks as sensitive", () => {
    for (const [type, name] of [
      ["aws_ssm_parameter", "value"],
      ["aws_api_gateway_api_key", "value"],
      ["azurerm_key_vault_secret", "value"],
    ] as const) {
      expect([type, Object.keys(mapperOf(type)?.rows ?? {})]).not.toEqual([
        type,
        expect.arrayContaining([name]),
      ]);
    }
  });
});

const trail = (type: string): JsonObject => ({
  EventSelectors: [{ ReadWriteType: "All", DataResources: [{ Type: type }] }],
});

test("rows by hand replace derived ones, and derived blocks keep their other members", () => {
  const rows = Object.keys(mapperOf("aws_cloudtrail")?.rows ?? {});
  expect(rows).toEqual(expect.arrayContaining(["event_selector", "event_selector.read_write_type"]));
  const declared = {
    event_selector: [{ read_write_type: "All", data_resource: [{ type: "AWS::S3::Object" }] }],
  };
  expect(changed("aws_cloudtrail", declared, trail("AWS::S3::Object"))).toEqual([]);
  expect(changed("aws_cloudtrail", declared, trail("AWS::Lambda::Function"))).toEqual([
    "event_selector.0.data_resource.0.type",
  ]);
});

const KINDS = new Set(["text", "number", "switch", "opposite", "list", "map", "json", "block", "blocks"]);

test("every line of the tables has a known kind, and only blocks have attributes inside", () => {
  const check = (type: string, { name, live, kind, inner }: Entry): void => {
    expect([type, name, KINDS.has(kind), live !== ""]).toEqual([type, name, true, true]);
    expect([type, name, inner.length > 0]).toEqual([type, name, kind === "block" || kind === "blocks"]);
    for (const one of inner) check(type, one);
  };
  const types = derivedTypes();
  expect(types.length).toBeGreaterThan(1500);
  for (const type of types) for (const entry of entriesOf(type)) check(type, entry);
});

test("every type of the tables is found by its name", () => {
  expect(derivedTypes().filter((type) => fixedOf(type).size === 0)).toEqual([]);
});

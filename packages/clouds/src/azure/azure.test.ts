import { describe, expect, test } from "bun:test";

import type { Json } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { DeclaredResource, ListedResource } from "../cloud.ts";
import { azure } from "./azure.ts";

describe("the Azure catalog", () => {
  const { entries } = azure.catalog;

  test("contains each type and each Terraform type once", () => {
    for (const names of [
      entries.map(({ type }) => type.toLowerCase()),
      entries.flatMap(({ terraform }) => terraform),
    ])
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("contains more than 200 Terraform types", () => {
    expect(
      entries.filter(({ terraform }) => terraform.some((type) => type.startsWith("azurerm_"))).length,
    ).toBeGreaterThan(200);
  });

  test("spells types and Terraform types correctly", () => {
    for (const { type, terraform } of entries) {
      expect(type).toMatch(/^[A-Z][A-Za-z]*\.[A-Z][A-Za-z]*(?:\/[A-Za-z][A-Za-z0-9]*)+(?:#[A-Za-z]+)?$/);
      for (const name of terraform) expect(name).toMatch(/^(?:azurerm|azuread)_[a-z0-9_]+$/);
    }
  });

  test("never lists a part of another resource", () => {
    expect(entries.filter(({ type, listed }) => type.includes("#") && listed)).toEqual([]);
  });

  test.each([
    [
      "stateful",
      [
        "mssql_server",
        "mssql_database",
        "mssql_managed_instance",
        "mssql_managed_database",
        "postgresql_server",
        "postgresql_flexible_server",
        "postgresql_flexible_server_database",
        "mysql_flexible_server",
        "mysql_flexible_database",
        "mariadb_server",
        "cosmosdb_account",
        "cosmosdb_sql_database",
        "cosmosdb_sql_container",
        "cosmosdb_mongo_collection",
        "cosmosdb_table",
        "cosmosdb_postgresql_cluster",
        "mongo_cluster",
        "storage_account",
        "storage_container",
        "storage_share",
        "storage_table",
        "storage_data_lake_gen2_filesystem",
        "managed_disk",
        "snapshot",
        "netapp_volume",
        "redis_cache",
        "redis_enterprise_cluster",
        "eventhub",
        "eventhub_namespace",
        "servicebus_namespace",
        "container_registry",
        "recovery_services_vault",
        "data_protection_backup_vault",
        "log_analytics_workspace",
        "search_service",
        "synapse_workspace",
        "kusto_cluster",
        "kusto_database",
        "databricks_workspace",
        "data_factory",
      ],
    ],
    [
      "key_material",
      [
        "key_vault",
        "key_vault_key",
        "key_vault_secret",
        "key_vault_certificate",
        "key_vault_managed_hardware_security_module",
      ],
    ],
    [
      "container",
      [
        "resource_group",
        "virtual_network",
        "subscription",
        "management_group",
        "dns_zone",
        "private_dns_zone",
      ],
    ],
    [
      "serving",
      [
        "linux_virtual_machine",
        "linux_virtual_machine_scale_set",
        "lb",
        "application_gateway",
        "nat_gateway",
        "vpn_gateway",
        "kubernetes_cluster_node_pool",
        "linux_web_app",
        "api_management",
        "public_ip",
        "dns_a_record",
      ],
    ],
    [
      "other",
      [
        "network_interface",
        "subnet",
        "network_security_group",
        "role_assignment",
        "subnet_route_table_association",
      ],
    ],
  ] as const)("classifies the loss of a resource as %s", (loss, types) => {
    for (const type of types)
      expect([type, azure.catalog.byTerraform(`azurerm_${type}`)?.loss]).toEqual([type, loss]);
  });
});

describe("no input makes Azure's functions throw", () => {
  const id = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc
      .array(
        fc.constantFrom(
          "subscriptions",
          "resourceGroups",
          "MC_a_b_c",
          "providers",
          "Microsoft.Network/virtualNetworks",
          "v",
          "",
          "|",
          "__proto__",
        ),
        { maxLength: 12 },
      )
      .map((segments) => `/${segments.join("/")}`),
  );
  const type = fc.oneof(
    fc.string(),
    fc.constantFrom(...azure.catalog.entries.flatMap((entry) => [entry.type, ...entry.terraform])),
    fc.constantFrom("__proto__", "constructor", "azure:x/y:Z", "azure-native:network:VirtualNetwork"),
  );
  const value = fc.jsonValue().map((json): Json => JSON.parse(JSON.stringify(json)));
  const object = fc.dictionary(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        "id",
        "properties",
        "managedBy",
        "subnets",
        "subnet",
        "security_rule",
        "tags",
        "__proto__",
        "constructor",
        "name",
      ),
    ),
    fc.oneof(value, id),
  );

  test("listings", () => {
    fc.assert(
      fc.property(fc.oneof(value, object), object, id, (row, page, rowId) => {
        for (const format of azure.formats)
          for (const resource of [
            ...(format.read(row, page) ?? []),
            ...(format.read({ ...page, id: rowId }, page) ?? []),
          ]) {
            expect(resource.provider_resource_id).not.toBe("");
            for (const rule of azure.exclusions) rule.applies(resource);
            for (const key of [...azure.liveKeys(resource, ""), ...azure.ownerKeys(resource, "")])
              expect(key).toMatch(/^[1-4]:/);
          }
        for (const document of azure.knownDocuments) document.matches(page);
      }),
    );
  });

  test("rows in Leeway's own format", () => {
    fc.assert(
      fc.property(
        id,
        type,
        type,
        object,
        (provider_resource_id, provider_type, terraform_type, properties) => {
          const resource: ListedResource = {
            provider_resource_id,
            provider_type,
            terraform_type,
            properties,
            parent_id: provider_resource_id,
            complete: true,
          };
          const keys = azure.liveKeys(resource, "");
          expect(keys).toEqual([...new Set(keys)].toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0)));
          expect(() => azure.ownerKeys(resource, "")).not.toThrow();
          for (const rule of azure.exclusions) rule.applies(resource);
        },
      ),
    );
  });

  test("states", () => {
    fc.assert(
      fc.property(id, type, object, (resourceId, declaredType, attributes) => {
        const resource: DeclaredResource = {
          address: "a",
          type: declaredType,
          attributes: { ...attributes, id: resourceId },
        };
        const { keys } = azure.declaredIdentity(resource);
        expect(keys).toEqual([...new Set(keys)].toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0)));
        expect(azure.declares(declaredType)).toBeBoolean();
        for (const child of azure.inlineChildren(resource)) expect(child.address).toStartWith("a.");
      }),
    );
  });
});

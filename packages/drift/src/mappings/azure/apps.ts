import { isObject, members, text, type JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { countedSku, IDENTITY, LOCAL_AUTH, PUBLIC_ACCESS, SKU_NAME, words } from "../../azure-shapes.ts";
import { valueAtPath } from "../../live-path.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { mirroredAzure } from "../../mirrored.ts";
import { anyCase, row, same, switched } from "../../shapes.ts";

type Rows = Readonly<Record<string, string | Row>>;

/** In lists of applications, omitted members are null. */
const SITE_CONFIG: Rows = {
  "site_config.minimum_tls_version": "siteConfig.minTlsVersion",
  "site_config.scm_minimum_tls_version": "siteConfig.scmMinTlsVersion",
  "site_config.ftps_state": row("siteConfig.ftpsState", anyCase),
  "site_config.remote_debugging_enabled": "siteConfig.remoteDebuggingEnabled",
};

const SLOT: Rows = {
  ...same("https_only client_affinity_enabled enabled"),
  client_certificate_enabled: "clientCertEnabled",
  client_certificate_mode: row("clientCertMode", anyCase),
  virtual_network_subnet_id: row("virtualNetworkSubnetId", anyCase),
  ...SITE_CONFIG,
  ...PUBLIC_ACCESS,
  ...IDENTITY,
};
const SITE: Rows = { ...SLOT, service_plan_id: row("serverFarmId", anyCase) };

/** Returns a shape for the version of a stack: `NODE|20` on Linux. */
const versionOf =
  (stack: string): Shape =>
  (live, declared) => {
    if (typeof live !== "string" || live === "" || !declared) return undefined;
    const [name = "", version = ""] = live.split("|");
    return name.toUpperCase() === stack ? version : "";
  };

const LINUX_STACK: Rows = Object.fromEntries(
  ["node", "php", "python"].map((name) => [
    `site_config.application_stack.${name}_version`,
    row("siteConfig.linuxFxVersion", versionOf(name.toUpperCase())),
  ]),
);
const LINUX_SITE: Rows = { ...SITE, ...LINUX_STACK };
const LINUX_SLOT: Rows = { ...SLOT, ...LINUX_STACK };

/** Returns a shape for a gateway's host names of one kind, without the one that Azure gives it. */
const hostNames =
  (kind: string): Shape =>
  (live, declared) => {
    if (!Array.isArray(live)) return undefined;
    const own = live
      .filter(isObject)
      .filter((one) => one["type"] === kind && text(one, "hostName")?.endsWith(".azure-api.net") !== true);
    return mirroredAzure(own, declared);
  };

const HOST_NAMES: Rows = Object.fromEntries(
  Object.entries({
    developer_portal: "DeveloperPortal",
    management: "Management",
    portal: "Portal",
    proxy: "Proxy",
    scm: "Scm",
  }).map(([name, kind]) => [
    `hostname_configuration.${name}`,
    row("hostnameConfigurations", hostNames(kind)),
  ]),
);

const NAMESPACE: Rows = {
  ...words({ sku: "/sku.name" }),
  capacity: "/sku.capacity",
  minimum_tls_version: "minimumTlsVersion",
  ...LOCAL_AUTH,
  ...PUBLIC_ACCESS,
  ...IDENTITY,
};

const TOPIC: Rows = {
  ...LOCAL_AUTH,
  ...PUBLIC_ACCESS,
  ...IDENTITY,
};

const COGNITIVE: Rows = {
  ...SKU_NAME,
  outbound_network_access_restricted: "restrictOutboundNetworkAccess",
  "network_acls.default_action": row("networkAcls.defaultAction", anyCase),
  "network_acls.ip_rules": "networkAcls.ipRules[].value",
  ...LOCAL_AUTH,
  ...PUBLIC_ACCESS,
  ...IDENTITY,
};

const GATEWAY_SECURITY = "Microsoft.WindowsAzure.ApiManagement.Gateway.Security";

/** Protocols that a gateway accepts on either side, under the names of old and new provider versions. */
const PROTOCOLS: Rows = Object.fromEntries(
  [
    ["frontend", `${GATEWAY_SECURITY}.Protocols`],
    ["backend", `${GATEWAY_SECURITY}.Backend.Protocols`],
  ].flatMap(([side, key]) =>
    ["Ssl30", "Tls10", "Tls11"].flatMap((protocol) => {
      const name = `${side}_${protocol.toLowerCase()}`;
      const own = `${key}.${protocol}`;
      const accepts: Row = {
        ...row("customProperties", (all, declared) =>
          isObject(all) ? switched(all[own] ?? false, declared) : undefined,
        ),
        key: own,
      };
      return [
        [`security.${name}_enabled`, accepts],
        [`security.enable_${name}`, accepts],
      ];
    }),
  ),
);

/** Compares a container app's containers. */
const containers: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const known = members({ containers: declared }, "containers").flatMap((one) => members(one, "env"));
  const secrets = new Set(known.filter((one) => text(one, "secret_name")).map((one) => text(one, "name")));
  return mirroredAzure(
    live.filter(isObject).map((container) => containerBlock(container, secrets)),
    declared,
  );
};

/** @param secrets variables that are declared as secret; their plain values are redacted */
function containerBlock(
  { name = null, image = null, command, args, env = null, resources }: JsonObject,
  secrets: ReadonlySet<string | undefined>,
): JsonObject {
  const { cpu, memory } = isObject(resources) ? resources : {};
  const variables = members({ env }, "env").map(({ name: key = null, value = "", secretRef = "" }) => ({
    name: key,
    value: value && typeof key === "string" && secrets.has(key) ? REDACTED : value,
    secret_name: secretRef,
  }));
  const settings = { command: command ?? [], args: args ?? [], env: variables };
  return {
    name,
    image,
    ...settings,
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
}

/** Compares the IP restrictions of an app; none means public. */
const restrictions: Shape = (ingress, declared) =>
  isObject(ingress) ? mirroredAzure(ingress["ipSecurityRestrictions"] ?? [], declared) : undefined;

/** Returns a row for the number of replicas, which Azure omits if it isn't set. */
function scale(bound: string, otherwise?: number): Row {
  return row("template", (template, declared) => {
    const found = valueAtPath(template, `scale.${bound}`) ?? otherwise;
    const isReported = isObject(template) && template["containers"] !== undefined && found !== undefined;
    return isReported ? mirroredAzure(found, declared) : undefined;
  });
}

/** Azure types that serve applications and pass on their messages; see `AZURE`. */
export const AZURE_APPS: MappingTable = {
  azurerm_container_app: {
    "template.container": row("template.containers", containers),
    "template.min_replicas": scale("minReplicas", 0),
    "template.max_replicas": scale("maxReplicas"),
    ...words({ revision_mode: "configuration.activeRevisionsMode" }),
    "ingress.external_enabled": "configuration.ingress.external",
    "ingress.allow_insecure_connections": "configuration.ingress.allowInsecure",
    "ingress.target_port": "configuration.ingress.targetPort",
    "ingress.client_certificate_mode": row("configuration.ingress.clientCertificateMode", anyCase),
    "ingress.ip_security_restriction": row("configuration.ingress", restrictions),
    ...IDENTITY,
  },
  azurerm_service_plan: {
    ...SKU_NAME,
    worker_count: "/sku.capacity",
    per_site_scaling_enabled: "perSiteScaling",
    zone_balancing_enabled: "zoneRedundant",
    maximum_elastic_worker_count: "maximumElasticWorkerCount",
  },
  azurerm_linux_web_app: LINUX_SITE,
  azurerm_windows_web_app: SITE,
  azurerm_linux_function_app: LINUX_SITE,
  azurerm_windows_function_app: SITE,
  azurerm_function_app_flex_consumption: SITE,
  azurerm_logic_app_standard: {
    ...SITE,
    app_service_plan_id: row("serverFarmId", anyCase),
    public_network_access: row("publicNetworkAccess", anyCase),
    "site_config.min_tls_version": "siteConfig.minTlsVersion",
  },
  azurerm_linux_web_app_slot: LINUX_SLOT,
  azurerm_windows_web_app_slot: SLOT,
  azurerm_linux_function_app_slot: LINUX_SLOT,
  azurerm_windows_function_app_slot: SLOT,
  azurerm_app_service: {
    ...same("https_only client_affinity_enabled client_cert_enabled enabled"),
    app_service_plan_id: row("serverFarmId", anyCase),
    ...IDENTITY,
  },
  azurerm_api_management: {
    ...words({ publisher_email: "publisherEmail", virtual_network_type: "virtualNetworkType" }),
    sku_name: row("/sku", countedSku),
    client_certificate_enabled: "enableClientCertificate",
    gateway_disabled: "disableGateway",
    ...PROTOCOLS,
    ...HOST_NAMES,
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_cognitive_account: COGNITIVE,
  azurerm_ai_services: { ...COGNITIVE, public_network_access: row("publicNetworkAccess", anyCase) },
  azurerm_search_service: {
    ...words({ sku: "/sku.name", hosting_mode: "hostingMode" }),
    ...same("replica_count partition_count"),
    allowed_ips: "networkRuleSet.ipRules[].value",
    ...LOCAL_AUTH,
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_servicebus_namespace: {
    ...NAMESPACE,
    premium_messaging_partitions: "premiumMessagingPartitions",
  },
  azurerm_eventhub_namespace: {
    ...NAMESPACE,
    auto_inflate_enabled: "isAutoInflateEnabled",
    maximum_throughput_units: "maximumThroughputUnits",
  },
  azurerm_eventgrid_topic: TOPIC,
  azurerm_eventgrid_domain: TOPIC,
  azurerm_iothub: {
    "sku.name": row("/sku.name", anyCase),
    "sku.capacity": "/sku.capacity",
    min_tls_version: "minTlsVersion",
    ...LOCAL_AUTH,
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_app_configuration: {
    ...words({ sku: "/sku.name", public_network_access: "publicNetworkAccess" }),
    purge_protection_enabled: "enablePurgeProtection",
    soft_delete_retention_days: "softDeleteRetentionInDays",
    ...LOCAL_AUTH,
    ...IDENTITY,
  },
  azurerm_automation_account: {
    sku_name: row("sku.name", anyCase),
    ...LOCAL_AUTH,
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_machine_learning_workspace: {
    ...SKU_NAME,
    high_business_impact: "hbiWorkspace",
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
};

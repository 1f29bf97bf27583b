import { GROUP, resourceGroup, virtualMachine } from "../estate/azure.ts";
import {
  containerRegistry,
  cosmosAccount,
  publicIp,
  redisCache,
  virtualNetwork,
  webApp,
} from "../estate/azure-services.ts";
import { changedBlock, knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const liveCosmos = (publicNetworkAccess: string) => ({
  documentEndpoint: "https://lumen-catalog.documents.azure.com:443/",
  databaseAccountOfferType: "Standard",
  disableLocalAuth: true,
  enableAutomaticFailover: true,
  ipRules: [],
  isVirtualNetworkFilterEnabled: publicNetworkAccess !== "Enabled",
  minimalTlsVersion: "Tls12",
  publicNetworkAccess,
  virtualNetworkRules: [],
});
const liveRegistry = (isPublic: boolean) => ({
  loginServer: "lumenshop.azurecr.io",
  adminUserEnabled: false,
  anonymousPullEnabled: isPublic,
  publicNetworkAccess: isPublic ? "Enabled" : "Disabled",
  zoneRedundancy: "Enabled",
});
const liveRedis = (publicNetworkAccess: string) => ({
  hostName: "lumen-sessions.redis.cache.windows.net",
  port: 6379,
  sslPort: 6380,
  enableNonSslPort: false,
  minimumTlsVersion: "1.2",
  publicNetworkAccess,
  redisVersion: "6.0",
  sku: { capacity: 1, family: "P", name: "Premium" },
});
const liveApp = (httpsOnly: boolean, remoteDebuggingEnabled: boolean) => ({
  defaultHostName: "lumen-shop.azurewebsites.net",
  enabled: true,
  httpsOnly,
  publicNetworkAccess: "Enabled",
  serverFarmId: `${GROUP}/providers/Microsoft.Web/serverFarms/shop`,
  siteConfig: { alwaysOn: true, ftpsState: "Disabled", minTlsVersion: "1.2", remoteDebuggingEnabled },
  state: "Running",
});

/** Azure: other services, addresses and containers. */
export const AZURE_SERVICES: readonly CommonType[] = [
  {
    type: "azurerm_cosmosdb_account",
    harmless: knownWhenNew(cosmosAccount),
    exposed: {
      after: knownWhenNew({
        ...cosmosAccount,
        public_network_access_enabled: true,
        is_virtual_network_filter_enabled: false,
      }),
      level: "high",
      why: "Every network can reach the database.",
    },
    live: {
      provider_type: "Microsoft.DocumentDB/databaseAccounts",
      harmless: liveCosmos("Disabled"),
      exposed: liveCosmos("Enabled"),
    },
  },
  {
    type: "azurerm_container_registry",
    harmless: knownWhenNew(containerRegistry),
    exposed: {
      after: knownWhenNew({
        ...containerRegistry,
        anonymous_pull_enabled: true,
        public_network_access_enabled: true,
      }),
      level: "high",
      why: "Anyone can pull the images.",
    },
    live: {
      provider_type: "Microsoft.ContainerRegistry/registries",
      harmless: liveRegistry(false),
      exposed: liveRegistry(true),
    },
  },
  {
    type: "azurerm_redis_cache",
    harmless: knownWhenNew(redisCache),
    exposed: {
      after: knownWhenNew({ ...redisCache, public_network_access_enabled: true }),
      level: "critical",
      why: "The Redis port is on the internet.",
    },
    live: {
      provider_type: "Microsoft.Cache/redis",
      harmless: liveRedis("Disabled"),
      exposed: liveRedis("Enabled"),
    },
  },
  {
    type: "azurerm_linux_web_app",
    harmless: knownWhenNew(webApp),
    exposed: {
      after: knownWhenNew({
        ...webApp,
        https_only: false,
        ...changedBlock(webApp, "site_config", { remote_debugging_enabled: true }),
      }),
      level: "high",
      why: "Sessions travel over plain HTTP, and a debugger listens.",
    },
    live: {
      provider_type: "Microsoft.Web/sites",
      harmless: liveApp(true, false),
      exposed: liveApp(false, true),
    },
  },
  {
    type: "azurerm_linux_virtual_machine",
    harmless: knownWhenNew(virtualMachine),
    live: {
      provider_type: "Microsoft.Compute/virtualMachines",
      harmless: {
        hardwareProfile: { vmSize: "Standard_D4s_v5" },
        osProfile: { computerName: "worker-1", linuxConfiguration: { disablePasswordAuthentication: true } },
        storageProfile: { osDisk: { osType: "Linux", diskSizeGB: 64 } },
        networkProfile: {
          networkInterfaces: [{ id: `${GROUP}/providers/Microsoft.Network/networkInterfaces/worker-1` }],
        },
        securityProfile: { encryptionAtHost: true },
      },
    },
  },
  {
    type: "azurerm_public_ip",
    harmless: knownWhenNew(publicIp),
    live: {
      provider_type: "Microsoft.Network/publicIPAddresses",
      harmless: {
        ipAddress: "198.51.100.61",
        publicIPAddressVersion: "IPv4",
        publicIPAllocationMethod: "Static",
        idleTimeoutInMinutes: 4,
        dnsSettings: { domainNameLabel: "lumen-shop" },
      },
    },
  },
  {
    type: "azurerm_virtual_network",
    harmless: knownWhenNew(virtualNetwork),
    live: {
      provider_type: "Microsoft.Network/virtualNetworks",
      harmless: {
        addressSpace: { addressPrefixes: ["10.60.0.0/16"] },
        enableDdosProtection: false,
        subnets: [],
      },
    },
  },
  {
    type: "azurerm_resource_group",
    harmless: knownWhenNew(resourceGroup),
    live: {
      provider_type: "Microsoft.Resources/subscriptions/resourceGroups",
      harmless: { provisioningState: "Succeeded" },
    },
  },
];

import { testEach, type Case } from "../../detect-drift.fixture.ts";

const SCOPE = "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666";
const POLICY = "/providers/Microsoft.Authorization/policyDefinitions/e56962a6";
const within = (...regions: string[]) => ({ if: { field: "location", notIn: regions } });
const DENY = within("westeurope");
const LOOSE = within("westeurope", "eastus");
const OFFICE = { name: "office", action: "Allow", ip_address_range: "192.0.2.0/24", description: "" };
const LIVE_OFFICE = { name: "office", action: "Allow", ipAddressRange: "192.0.2.0/24" };
const TRUSTED = { endpoint_resource_id: `${SCOPE}/a`, endpoint_tenant_id: "t-1" };
/** Defender grants access to its own scanner. */
const SCANNER = {
  resourceId: `${SCOPE}/providers/Microsoft.Security/datascanners/storageDataScanner`,
  tenantId: "t-1",
};

const CASES: Case[] = [
  {
    type: "azurerm_recovery_services_vault",
    declared: { soft_delete_enabled: true },
    same: { properties: { securitySettings: { softDeleteSettings: { softDeleteState: "AlwaysON" } } } },
    changed: { properties: { securitySettings: { softDeleteSettings: { softDeleteState: "Disabled" } } } },
    changes: [["soft_delete_enabled", false]],
    rule: "R02",
  },
  {
    type: "azurerm_container_app",
    declared: { ingress: [{ ip_security_restriction: [OFFICE], client_certificate_mode: "require" }] },
    same: {
      properties: {
        configuration: {
          ingress: { ipSecurityRestrictions: [LIVE_OFFICE], clientCertificateMode: "Require" },
        },
      },
    },
    changed: {
      properties: {
        configuration: { ingress: { ipSecurityRestrictions: null, clientCertificateMode: "Ignore" } },
      },
    },
    changes: [
      ["ingress.0.ip_security_restriction.0", null],
      ["ingress.0.client_certificate_mode", "Ignore"],
    ],
    rule: "R08",
  },
  {
    type: "azurerm_logic_app_standard",
    declared: { https_only: true, public_network_access: "Disabled", enabled: true },
    same: { properties: { httpsOnly: true, publicNetworkAccess: "Disabled", enabled: true } },
    changed: { properties: { httpsOnly: false, publicNetworkAccess: "Enabled", enabled: true } },
    changes: [
      ["https_only", false],
      ["public_network_access", "Enabled"],
    ],
    rule: "R10",
  },
  {
    type: "azurerm_function_app_flex_consumption",
    declared: { https_only: true, public_network_access_enabled: false, client_certificate_enabled: true },
    same: { properties: { httpsOnly: true, publicNetworkAccess: "Disabled", clientCertEnabled: true } },
    changed: { properties: { httpsOnly: true, publicNetworkAccess: "Enabled", clientCertEnabled: false } },
    changes: [
      ["public_network_access_enabled", true],
      ["client_certificate_enabled", false],
    ],
    rule: "R02",
  },
  {
    type: "azurerm_virtual_machine_extension",
    declared: {
      settings: '{"fileUris":["https://a.example/run.sh"]}',
      type_handler_version: "2.1",
      auto_upgrade_minor_version: true,
    },
    same: {
      properties: {
        settings: { fileUris: ["https://a.example/run.sh"] },
        typeHandlerVersion: "2.1",
        autoUpgradeMinorVersion: true,
      },
    },
    changed: {
      properties: {
        settings: { fileUris: ["https://b.example/run.sh"] },
        typeHandlerVersion: "2.1",
        autoUpgradeMinorVersion: true,
      },
    },
    changes: [["settings", '{"fileUris":["https://b.example/run.sh"]}']],
    rule: "R23",
  },
  {
    type: "azurerm_subscription_policy_assignment",
    declared: {
      enforce: true,
      not_scopes: [],
      parameters: '{"effect":{"value":"Deny"}}',
      policy_definition_id: POLICY,
    },
    same: {
      properties: {
        enforcementMode: "Default",
        parameters: { effect: { value: "Deny" } },
        policyDefinitionId: POLICY.toLowerCase(),
      },
    },
    changed: {
      properties: {
        enforcementMode: "DoNotEnforce",
        notScopes: [`${SCOPE}/resourceGroups/dev`],
        parameters: { effect: { value: "Audit" } },
        policyDefinitionId: POLICY,
      },
    },
    changes: [
      ["enforce", false],
      ["not_scopes", [`${SCOPE}/resourceGroups/dev`]],
      ["parameters", '{"effect":{"value":"Audit"}}'],
    ],
    rule: "R12",
  },
  {
    type: "azurerm_resource_group_policy_assignment",
    declared: { enforce: true, not_scopes: ["/x"], parameters: "", description: "" },
    same: { properties: { enforcementMode: "Default", notScopes: ["/X"], parameters: {} } },
    changed: { properties: { enforcementMode: "Default", parameters: {} } },
    changes: [["not_scopes", []]],
    rule: "R12",
  },
  {
    type: "azurerm_policy_definition",
    declared: { policy_rule: JSON.stringify(DENY), mode: "All", parameters: "", display_name: "Where" },
    same: { properties: { policyRule: DENY, mode: "All", displayName: "Where" } },
    changed: { properties: { policyRule: LOOSE, mode: "All", displayName: "Where" } },
    changes: [["policy_rule", JSON.stringify(LOOSE)]],
    rule: "R12",
  },
  {
    type: "azurerm_storage_account",
    declared: { network_rules: [{ default_action: "Deny", private_link_access: [] }] },
    same: { properties: { networkAcls: { defaultAction: "Deny", resourceAccessRules: [] } } },
    changed: {
      properties: {
        networkAcls: {
          defaultAction: "Deny",
          resourceAccessRules: [{ resourceId: `${SCOPE}/a`, tenantId: "t-1" }],
        },
      },
    },
    changes: [["network_rules.0.private_link_access.0", TRUSTED]],
    rule: "R08",
  },
  {
    type: "azurerm_storage_account_network_rules",
    declared: { private_link_access: [TRUSTED] },
    same: {
      properties: {
        networkAcls: { resourceAccessRules: [{ resourceId: `${SCOPE}/A`, tenantId: "T-1" }] },
      },
    },
    changed: { properties: { networkAcls: { resourceAccessRules: [] } } },
    changes: [["private_link_access.0", null]],
    rule: "R08",
  },
  {
    type: "azurerm_storage_account_network_rules",
    declared: { private_link_access: [] },
    same: { properties: { networkAcls: { resourceAccessRules: [SCANNER] } } },
    changed: {
      properties: {
        networkAcls: { resourceAccessRules: [SCANNER, { resourceId: `${SCOPE}/a`, tenantId: "t-1" }] },
      },
    },
    changes: [["private_link_access.0", TRUSTED]],
    rule: "R08",
  },
  {
    type: "azurerm_linux_virtual_machine",
    declared: { patch_mode: "AutomaticByPlatform", patch_assessment_mode: "ImageDefault" },
    same: {
      properties: {
        osProfile: {
          linuxConfiguration: {
            patchSettings: { patchMode: "AutomaticByPlatform", assessmentMode: "ImageDefault" },
          },
        },
      },
    },
    changed: {
      properties: {
        osProfile: {
          linuxConfiguration: {
            patchSettings: { patchMode: "ImageDefault", assessmentMode: "ImageDefault" },
          },
        },
      },
    },
    changes: [["patch_mode", "ImageDefault"]],
    rule: "R23",
  },
  {
    type: "azurerm_windows_virtual_machine",
    declared: {
      patch_mode: "AutomaticByOS",
      automatic_updates_enabled: true,
      enable_automatic_updates: true,
    },
    same: {
      properties: {
        osProfile: {
          windowsConfiguration: {
            enableAutomaticUpdates: true,
            patchSettings: { patchMode: "AutomaticByOS" },
          },
        },
      },
    },
    changed: {
      properties: {
        osProfile: {
          windowsConfiguration: { enableAutomaticUpdates: false, patchSettings: { patchMode: "Manual" } },
        },
      },
    },
    changes: [
      ["patch_mode", "Manual"],
      ["automatic_updates_enabled", false],
      ["enable_automatic_updates", false],
    ],
    rule: "R23",
  },
  {
    type: "azurerm_firewall_policy",
    declared: {
      insights: [{ enabled: true }],
      threat_intelligence_allowlist: [{ ip_addresses: ["192.0.2.1"], fqdns: [] }],
    },
    same: {
      properties: {
        insights: { isEnabled: true },
        threatIntelWhitelist: { ipAddresses: ["192.0.2.1"], fqdns: [] },
      },
    },
    changed: {
      properties: {
        insights: { isEnabled: false },
        threatIntelWhitelist: { ipAddresses: ["192.0.2.1"], fqdns: ["*.example.net"] },
      },
    },
    changes: [
      ["insights.0.enabled", false],
      ["threat_intelligence_allowlist.0.fqdns", ["*.example.net"]],
    ],
    rule: "R08",
  },
  {
    type: "azurerm_monitor_action_group",
    declared: {
      email_receiver: [{ name: "on call", email_address: "ops@example.com", use_common_alert_schema: true }],
    },
    same: {
      properties: {
        emailReceivers: [
          {
            name: "on call",
            emailAddress: "ops@example.com",
            useCommonAlertSchema: true,
            status: "Enabled",
          },
        ],
      },
    },
    changed: { properties: { emailReceivers: [] } },
    changes: [["email_receiver.0", null]],
    rule: "R23",
  },
  {
    type: "azurerm_kubernetes_cluster",
    declared: {
      image_cleaner_enabled: true,
      key_vault_secrets_provider: [{ secret_rotation_enabled: true }],
    },
    same: {
      properties: {
        securityProfile: { imageCleaner: { enabled: true } },
        addonProfiles: { azureKeyvaultSecretsProvider: { config: { enableSecretRotation: "true" } } },
      },
    },
    changed: {
      properties: {
        securityProfile: { imageCleaner: { enabled: false } },
        addonProfiles: { azureKeyvaultSecretsProvider: { config: { enableSecretRotation: "false" } } },
      },
    },
    changes: [
      ["image_cleaner_enabled", false],
      ["key_vault_secrets_provider.0.secret_rotation_enabled", false],
    ],
    rule: "R23",
  },
  {
    type: "azurerm_ai_services",
    declared: { public_network_access: "Disabled", local_authentication_enabled: false },
    same: { properties: { publicNetworkAccess: "Disabled", disableLocalAuth: true } },
    changed: { properties: { publicNetworkAccess: "Enabled", disableLocalAuth: false } },
    changes: [
      ["public_network_access", "Enabled"],
      ["local_authentication_enabled", true],
    ],
    rule: "R10",
  },
  {
    type: "azurerm_managed_redis",
    declared: { high_availability_enabled: true, public_network_access: "Disabled" },
    same: { properties: { highAvailability: "Enabled", publicNetworkAccess: "Disabled" } },
    changed: { properties: { highAvailability: "Enabled", publicNetworkAccess: "Enabled" } },
    changes: [["public_network_access", "Enabled"]],
    rule: "R10",
  },
];

testEach(CASES);

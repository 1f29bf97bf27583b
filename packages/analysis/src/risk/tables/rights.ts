import { names, type AdminGrant } from "./table.ts";

/** Rights, by name or id, whose holder can acquire every other right, also in tools besides the three clouds. */

/** Microsoft Graph permissions with which an application can make itself or anyone an administrator. */
const GRAPH_PERMISSIONS: Readonly<Record<string, string>> = {
  "9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8": "RoleManagement.ReadWrite.Directory",
  "06b708a9-e830-4db3-a914-8e69da51d44f": "AppRoleAssignment.ReadWrite.All",
  "1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9": "Application.ReadWrite.All",
  "19dbc75e-c2e2-444c-a770-ec69d8559fc7": "Directory.ReadWrite.All",
  "50483e42-d915-4231-9639-7fdb7fd190e5": "UserAuthenticationMethod.ReadWrite.All",
};

/** Names of rights that providers identify by id. */
export const RIGHT_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(GRAPH_PERMISSIONS),
  ["62e90394-69f5-4237-9190-012177145e10", "Global Administrator"],
  ["e8611ab8-c189-46e8-94e1-60213ab1f814", "Privileged Role Administrator"],
]);

export const ADMIN_ANYWHERE: readonly AdminGrant[] = [
  grant("azuread_app_role_assignment", "app_role_id", Object.keys(GRAPH_PERMISSIONS), "principal_object_id"),
  grant(
    "azuread_service_principal_delegated_permission_grant",
    "claim_values",
    Object.values(GRAPH_PERMISSIONS),
    "service_principal_object_id",
  ),
  grant(
    "azurerm_role_definition",
    "permissions.actions",
    names(`
      Microsoft.Authorization/* Microsoft.Authorization/*/write Microsoft.Authorization/roleAssignments/*
      Microsoft.Authorization/roleAssignments/write Microsoft.Authorization/roleDefinitions/write
      Microsoft.Authorization/elevateAccess/action
    `),
    "",
  ),
  grant(
    "snowflake_grant_account_role snowflake_grant_privileges_to_account_role snowflake_role_grants snowflake_grant_application_role",
    "role_name",
    names("ACCOUNTADMIN SECURITYADMIN ORGADMIN"),
    "user_name parent_role_name users roles",
  ),
  grant(
    "google_project_iam_custom_role google_organization_iam_custom_role",
    "permissions",
    names(`
      resourcemanager.projects.setIamPolicy resourcemanager.folders.setIamPolicy
      resourcemanager.organizations.setIamPolicy iam.serviceAccounts.getAccessToken iam.serviceAccounts.signJwt
      iam.serviceAccounts.setIamPolicy iam.serviceAccountKeys.create iam.roles.update
    `),
    "",
  ),
  grant("github_membership", "role", ["admin"], "username"),
  grant("okta_user_admin_roles okta_group_role", "admin_roles", ["SUPER_ADMIN"], "user_id"),
  grant("okta_group_role", "role_type", ["SUPER_ADMIN"], "group_id"),
  grant("tfe_team", "organization_access.manage_permissions", ["true"], "name"),
  grant("postgresql_role", "superuser", ["true"], "name"),
  grant("mongodbatlas_database_user", "roles.role_name", ["atlasAdmin"], "username"),
  grant("mongodbatlas_project_api_key mongodbatlas_api_key", "role_names", ["ORG_OWNER"], ""),
  grant(
    "cloudflare_account_member cloudflare_member",
    "role_ids",
    ["33666b9c79b9a5273fc7344ff42f953d"],
    "email_address",
  ),
];

function grant(types: string, attribute: string, grants: readonly string[], holders: string): AdminGrant {
  return {
    types: names(types),
    attribute,
    grants: grants.map((right) => right.toLowerCase()),
    holders: holders === "" ? [] : names(holders),
  };
}

import { GROUP, roleAssignment, SUBSCRIPTION } from "./estate/azure.ts";
import { branchProtection, clusterRoleBinding, githubRepository, metadata } from "./estate/elsewhere.ts";
import { iamMember, onProject, PROJECT } from "./estate/google.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const JANE = "user:jane@lumen-shop.example";
const ANALYSTS = "group:analysts@lumen-shop.example";
const onBot = {
  service_account_id: `projects/${PROJECT}/serviceAccounts/bot@${PROJECT}.iam.gserviceaccount.com`,
};
const POOL =
  "principalSet://iam.googleapis.com/projects/318402957114/locations/global/workloadIdentityPools/github";

/** Google Cloud, Azure, Kubernetes and GitHub: access. */
export const IAM_CLOUDS: readonly ReviewedPlan[] = [
  {
    name: "Google: makes a user an owner of the project",
    level: "critical",
    why: "Owners control the project, including its other owners.",
    plan: planOf(created("google_project_iam_member.jane", iamMember(onProject, "roles/owner", JANE))),
  },
  {
    name: "Google: makes a user an editor of the project",
    level: "high",
    why: "Editors can change and delete nearly everything; grant narrower roles.",
    plan: planOf(created("google_project_iam_member.jane", iamMember(onProject, "roles/editor", JANE))),
  },
  {
    name: "Google: lets CI grant itself any role",
    level: "critical",
    why: "projectIamAdmin can make itself owner.",
    plan: planOf(
      created(
        "google_project_iam_member.ci",
        iamMember(
          onProject,
          "roles/resourcemanager.projectIamAdmin",
          `serviceAccount:ci@${PROJECT}.iam.gserviceaccount.com`,
        ),
      ),
    ),
  },
  {
    name: "Google: lets a user impersonate every service account",
    level: "critical",
    why: "serviceAccountTokenCreator on the project impersonates any service account.",
    plan: planOf(
      created(
        "google_project_iam_member.jane",
        iamMember(onProject, "roles/iam.serviceAccountTokenCreator", JANE),
      ),
    ),
  },
  {
    name: "Google: makes a user an organization administrator",
    level: "critical",
    why: "Organization Administrator controls every project.",
    plan: planOf(
      created(
        "google_organization_iam_member.jane",
        iamMember({ org_id: "118403926571" }, "roles/resourcemanager.organizationAdmin", JANE),
      ),
    ),
  },
  {
    name: "Google: gives a group a viewer role",
    level: "medium",
    why: "Reads dashboards only.",
    plan: planOf(
      created(
        "google_project_iam_member.analysts",
        iamMember(onProject, "roles/monitoring.viewer", ANALYSTS),
      ),
    ),
  },
  {
    name: "Google: lets one GitHub repository use a service account",
    level: "medium",
    why: "Only our own repository; check what the service account can do.",
    plan: planOf(
      created(
        "google_service_account_iam_member.github",
        iamMember(onBot, "roles/iam.workloadIdentityUser", `${POOL}/attribute.repository/lumen-shop/infra`),
      ),
    ),
  },
  {
    name: "Google: removes the role of a former colleague",
    level: "medium",
    why: "As it should be; check that nothing runs as that user.",
    plan: planOf(
      destroyed(
        "google_project_iam_member.bob",
        iamMember(onProject, "roles/viewer", "user:bob@lumen-shop.example"),
      ),
    ),
  },
  {
    name: "Azure: makes CI an owner of the subscription",
    level: "critical",
    why: "Owner controls everything in the subscription and its access.",
    plan: planOf(created("azurerm_role_assignment.ci", roleAssignment("Owner", SUBSCRIPTION))),
  },
  {
    name: "Azure: lets CI assign roles in the subscription",
    level: "critical",
    why: "User Access Administrator can make itself Owner.",
    plan: planOf(
      created("azurerm_role_assignment.ci", roleAssignment("User Access Administrator", SUBSCRIPTION)),
    ),
  },
  {
    name: "Azure: makes CI a contributor of the subscription",
    level: "high",
    why: "Contributor can change and delete everything in production.",
    plan: planOf(created("azurerm_role_assignment.ci", roleAssignment("Contributor", SUBSCRIPTION))),
  },
  {
    name: "Azure: makes a group a reader of one resource group",
    level: "medium",
    why: "Reads settings, not data.",
    plan: planOf(
      created(
        "azurerm_role_assignment.support",
        roleAssignment("Reader", GROUP, { principal_type: "Group" }),
      ),
    ),
  },
  {
    name: "Azure: lets an app read the blobs of one account",
    level: "medium",
    why: "Read-only access to one account.",
    plan: planOf(
      created(
        "azurerm_role_assignment.printer",
        roleAssignment(
          "Storage Blob Data Reader",
          `${GROUP}/providers/Microsoft.Storage/storageAccounts/lumeninvoices`,
        ),
      ),
    ),
  },
  {
    name: "Azure: a custom role that allows everything",
    level: "critical",
    why: "A custom role with `*` on the subscription is Owner under another name.",
    plan: planOf(
      created("azurerm_role_definition.platform", {
        id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/0f3a|${SUBSCRIPTION}`,
        name: "Platform",
        description: "",
        scope: SUBSCRIPTION,
        assignable_scopes: [SUBSCRIPTION],
        permissions: [{ actions: ["*"], not_actions: [], data_actions: [], not_data_actions: [] }],
      }),
    ),
  },
  {
    name: "Kubernetes: makes a group cluster-admin",
    level: "critical",
    why: "Developers would control the whole cluster, including its secrets.",
    plan: planOf(
      created(
        "kubernetes_cluster_role_binding.platform",
        clusterRoleBinding("cluster-admin", { kind: "Group", name: "developers" }),
      ),
    ),
  },
  {
    name: "Kubernetes: makes anonymous users cluster-admin",
    level: "critical",
    why: "`system:unauthenticated` is anyone who reaches the API server.",
    plan: planOf(
      created(
        "kubernetes_cluster_role_binding.platform",
        clusterRoleBinding("cluster-admin", { kind: "Group", name: "system:unauthenticated" }),
      ),
    ),
  },
  {
    name: "Kubernetes: makes a group a viewer of one namespace",
    level: "medium",
    why: "`view` doesn't include secrets.",
    plan: planOf(
      created("kubernetes_role_binding.support", {
        id: "shop/support",
        metadata: metadata("support"),
        role_ref: [{ api_group: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" }],
        subject: [{ api_group: "rbac.authorization.k8s.io", kind: "Group", name: "support", namespace: "" }],
      }),
    ),
  },
  {
    name: "GitHub: the source code becomes public",
    level: "critical",
    why: "The code and its history would be on the internet, for good.",
    plan: planOf(
      updated("github_repository.checkout", githubRepository("checkout", "private"), {
        visibility: "public",
        private: false,
      }),
    ),
  },
  {
    name: "GitHub: the main branch loses its protection",
    level: "high",
    why: "Anyone with write access could push to main without a review.",
    plan: planOf(destroyed("github_branch_protection.main", branchProtection)),
  },
  {
    name: "GitHub: makes a team an administrator of one repository",
    level: "medium",
    why: "Repository admins can turn off its protections; check who is in the team.",
    plan: planOf(
      created("github_team_repository.platform", {
        id: "4271930:checkout",
        team_id: "4271930",
        repository: "checkout",
        permission: "admin",
      }),
    ),
  },
];

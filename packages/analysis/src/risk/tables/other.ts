import { INBOUND_ELSEWHERE } from "./other-inbound.ts";
import { names, sign, type CloudTable } from "./table.ts";

/** Values that other resources are built from: a new one propagates to every user of the old one. */
export const GENERATED = names("random_*");

/** Resources that exist only in the state or on the machine that runs Terraform. */
export const LOCAL = names(
  "null_resource terraform_data local_file local_sensitive_file time_* archive_file",
);

/** Types that may hold volumes, which plans don't show. */
export const RELEASES = ["helm_release"];

export const OTHER: CloudTable = {
  providers: names(`
    kubernetes kubectl helm random tls github gitlab datadog cloudflare vault null terraform local time archive
    template external http cloudinit tfe
  `),
  holders: [],
  besideStateful: [],
  clusters: [],
  nodePools: names("digitalocean_kubernetes_node_pool"),
  revisions: [],
  networkPolicy: names(`
    kubernetes_network_policy kubernetes_network_policy_v1 digitalocean_firewall digitalocean_database_firewall
    hcloud_firewall hcloud_firewall_attachment openstack_networking_secgroup_v2 openstack_networking_secgroup_rule_v2
    oci_core_security_list oci_core_default_security_list oci_core_network_security_group oci_core_network_security_group_security_rule
    alicloud_security_group alicloud_security_group_rule cloudflare_ruleset cloudflare_firewall_rule
    cloudflare_access_rule mongodbatlas_project_ip_access_list mongodbatlas_project_ip_whitelist
    snowflake_network_policy databricks_ip_access_list linode_firewall scaleway_instance_security_group*
    ibm_is_security_group*
  `),
  iam: names(`
    kubernetes_role kubernetes_role_v1 kubernetes_role_binding kubernetes_role_binding_v1 kubernetes_cluster_role
    kubernetes_cluster_role_v1 kubernetes_cluster_role_binding kubernetes_cluster_role_binding_v1
    kubernetes_service_account kubernetes_service_account_v1 vault_policy vault_*_auth_backend_role
    vault_identity_* github_repository_collaborator github_repository_collaborators github_team_membership
    github_team_repository github_membership gitlab_project_membership gitlab_group_membership
    rabbitmq_user rabbitmq_permissions rabbitmq_topic_permissions tailscale_acl tailscale_device_tags
    gitlab_project_share_group oci_identity_policy alicloud_ram_* tfe_team_access tfe_team_member tfe_team_*_access
    tfe_organization_membership github_repository_deploy_key github_branch_protection* github_repository_ruleset
    github_organization_ruleset github_*_permissions github_organization_settings gitlab_deploy_key gitlab_deploy_token
    gitlab_*_access_token gitlab_branch_protection gitlab_group_share_group vault_auth_backend vault_*_secret_backend_role
    vault_token* cloudflare_api_token cloudflare_member cloudflare_account_member cloudflare_access_policy
    cloudflare_access_application cloudflare_zero_trust_access_* datadog_role datadog_user okta_*_role* okta_*_admin_roles
    auth0_*_role* auth0_client_grant databricks_grant* databricks_permissions databricks_group_member
    databricks_mws_permission_assignment snowflake_*grant* snowflake_user mongodbatlas_database_user
    mongodbatlas_*_invitation mongodbatlas_custom_db_role mongodbatlas_*api_key postgresql_grant* postgresql_role
    github_team_members github_organization_*role* github_organization_security_manager
    github_*_secret_repositor* github_actions_repository_access_level github_actions_*_oidc_subject_claim_*
    github_app_installation_* github_repository_*deployment_*policy gitlab_group_*_link gitlab_member_role
    gitlab_tag_protection gitlab_deploy_key_enable gitlab_*_protected_environment gitlab_project_approval_rule
    datadog_user_role datadog_authn_mapping datadog_restriction_policy cloudflare_access_group
    cloudflare_access_identity_provider mysql_grant mysql_user confluent_role_binding confluent_api_key
    confluent_kafka_acl kafka_acl consul_acl_* nomad_acl_* grafana_*_permission grafana_*_permission_item
    grafana_role* elasticstack_*_security_role* aiven_*_acl redpanda_acl scaleway_iam_* yandex_*_iam_* ibm_iam_*
  `),
  trafficPath: names(`
    cloudflare_record cloudflare_dns_record cloudflare_load_balancer cloudflare_load_balancer_pool
    kubernetes_ingress kubernetes_ingress_v1 kubernetes_service kubernetes_service_v1 digitalocean_record
    digitalocean_loadbalancer hcloud_load_balancer_* openstack_networking_router_* oci_core_route_table
    alicloud_route_entry
  `),
  besidePath: [
    {
      types: names("cloudflare_record cloudflare_dns_record digitalocean_record"),
      attributes: names("ttl comment"),
    },
  ],
  audit: names("vault_audit kubernetes_audit_policy"),
  protectionSettings: [],
  publicAccessBlocks: [],
  encryptionSettings: [],
  capacity: names("replicas spec.replicas spec.min_replicas spec.max_replicas node_pool.node_count"),
  protections: [
    sign(["github_repository"], ["archive_on_destroy"], "off"),
    sign(["gitlab_project"], ["archive_on_destroy"], "off"),
    sign(
      names("kubernetes_persistent_volume kubernetes_persistent_volume_v1"),
      names("spec.persistent_volume_reclaim_policy manifest.spec.persistentVolumeReclaimPolicy"),
      { leaves: ["Retain"] },
    ),
  ],
  keyDisabling: [sign(["vault_transit_secret_backend_key"], ["deletion_allowed"], "on")],
  disruptions: [],
  publicAccess: [
    sign(["github_repository"], ["private"], "off"),
    sign(
      names("digitalocean_spaces_bucket* alicloud_oss_bucket*"),
      ["acl"],
      names("public-read public-read-write"),
    ),
    sign(["oci_objectstorage_bucket"], ["access_type"], names("objectread objectreadwithoutlist")),
    sign(
      ["kubernetes_*role_binding*"],
      names("subject.name manifest.subjects.name"),
      names("system:anonymous system:unauthenticated"),
    ),
    sign(names("github_repository gitlab_project"), names("visibility visibility_level"), {
      from: names("private internal"),
      to: ["public"],
    }),
  ],
  exposures: [],
  closures: [],
  access: [
    // Identity on its machine.
    sign(
      ["kubernetes_*"],
      names(`
        *security_context.privileged *security_context.allow_privilege_escalation *host_network *host_pid *host_ipc
        *securityContext.privileged *securityContext.allowPrivilegeEscalation *hostNetwork *hostPID *hostIPC
      `),
      "on",
    ),
    sign(["kubernetes_namespace*"], ["*metadata.labels.pod-security.kubernetes.io/*"], "touched"),
  ],
  // Firewalls select targets by tag.
  reach: [sign(["digitalocean_droplet"], ["tags"], "touched")],
  encryption: [
    sign(["cloudflare_zone_settings_override"], ["settings.ssl"], {
      from: names("strict full origin_pull"),
      to: names("flexible off"),
    }),
    sign(["cloudflare_zone_settings_override"], ["settings.min_tls_version"], "older_tls"),
    sign(["cloudflare_zone_settings_override"], ["settings.always_use_https"], "off"),
  ],
  encryptionSwitches: [],
  auditSwitches: [],
  auditing: [sign(["github_repository"], ["vulnerability_alerts"], "off")],
  inbound: INBOUND_ELSEWHERE,
  admin: [
    {
      types: names("kubernetes_cluster_role_binding kubernetes_cluster_role_binding_v1"),
      attribute: "role_ref.name",
      grants: ["cluster-admin"],
      holders: [],
    },
    {
      types: ["kubernetes_cluster_role_binding"],
      attribute: "manifest.roleRef.name",
      grants: ["cluster-admin"],
      holders: [],
    },
    { types: ["rabbitmq_user"], attribute: "tags", grants: ["administrator"], holders: ["name"] },
  ],
  fullRoles: [
    {
      types: names("kubernetes_cluster_role kubernetes_cluster_role_v1"),
      blocks: ["rule"],
      all: names("api_groups resources verbs"),
    },
    {
      types: ["kubernetes_cluster_role"],
      blocks: names("manifest rules"),
      all: names("apiGroups resources verbs"),
    },
  ],
};

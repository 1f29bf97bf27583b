import { names, sign, type CloudTable } from "./table.ts";

/** Values that other resources are made of: a new one spreads through whatever used the old one. */
export const GENERATED = names("random_password random_id tls_private_key");

/** May hold volumes, which a plan doesn't show. */
export const RELEASES = ["helm_release"];

export const OTHER: CloudTable = {
  providers: names(`
    kubernetes kubectl helm random tls github gitlab datadog cloudflare vault null terraform local time archive
    template external http cloudinit tfe
  `),
  stateful: names(`
    kubernetes_persistent_volume_claim kubernetes_persistent_volume_claim_v1 kubernetes_persistent_volume
    kubernetes_persistent_volume_v1 kubernetes_namespace kubernetes_namespace_v1 random_password random_id
    tls_private_key github_repository gitlab_project cloudflare_r2_bucket cloudflare_d1_database
    cloudflare_workers_kv_namespace
  `),
  besideStateful: [],
  keyMaterial: names("vault_mount vault_transit_secret_backend_key vault_pki_secret_backend_root_cert"),
  containers: names(`
    cloudflare_zone digitalocean_vpc digitalocean_project digitalocean_domain hcloud_network
    openstack_networking_network_v2 oci_core_vcn oci_identity_compartment alicloud_vpc tfe_organization tfe_workspace
  `),
  serving: names(`
    kubernetes_deployment kubernetes_deployment_v1 kubernetes_stateful_set kubernetes_stateful_set_v1
    kubernetes_daemonset kubernetes_daemon_set_v1 kubernetes_service kubernetes_service_v1 kubernetes_ingress
    kubernetes_ingress_v1 cloudflare_record cloudflare_dns_record cloudflare_load_balancer digitalocean_droplet
    digitalocean_loadbalancer digitalocean_kubernetes_cluster digitalocean_kubernetes_node_pool digitalocean_app
    digitalocean_record hcloud_server hcloud_load_balancer openstack_compute_instance_v2 oci_core_instance
    alicloud_instance
  `),
  nodePools: names("digitalocean_kubernetes_node_pool"),
  networkPolicy: names(`
    kubernetes_network_policy kubernetes_network_policy_v1 digitalocean_firewall digitalocean_database_firewall
    hcloud_firewall hcloud_firewall_attachment openstack_networking_secgroup_v2 openstack_networking_secgroup_rule_v2
    oci_core_security_list oci_core_network_security_group oci_core_network_security_group_security_rule
    alicloud_security_group alicloud_security_group_rule cloudflare_ruleset cloudflare_firewall_rule
    cloudflare_access_rule
  `),
  iam: names(`
    kubernetes_role kubernetes_role_v1 kubernetes_role_binding kubernetes_role_binding_v1 kubernetes_cluster_role
    kubernetes_cluster_role_v1 kubernetes_cluster_role_binding kubernetes_cluster_role_binding_v1
    kubernetes_service_account kubernetes_service_account_v1 vault_policy vault_*_auth_backend_role
    vault_identity_* github_repository_collaborator github_repository_collaborators github_team_membership
    github_team_repository github_membership gitlab_project_membership gitlab_group_membership
    gitlab_project_share_group oci_identity_policy alicloud_ram_* tfe_team_access
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
    sign(["kubernetes_*role_binding*"], ["subject.name"], names("system:anonymous system:unauthenticated")),
    sign(names("github_repository gitlab_project"), names("visibility visibility_level"), {
      from: names("private internal"),
      to: ["public"],
    }),
  ],
  exposures: [],
  access: [],
  encryption: [],
  auditing: [],
  inbound: [
    {
      types: names("digitalocean_firewall"),
      blocks: ["inbound_rule"],
      sources: ["source_addresses"],
      ports: { ranges: ["port_range"] },
      protocol: "protocol",
      only: {},
    },
    {
      types: ["hcloud_firewall"],
      blocks: ["rule"],
      sources: ["source_ips"],
      ports: { ranges: ["port"] },
      protocol: "protocol",
      only: { direction: ["in"] },
    },
    {
      types: ["openstack_networking_secgroup_rule_v2"],
      blocks: [],
      sources: ["remote_ip_prefix"],
      ports: { from: "port_range_min", to: "port_range_max" },
      protocol: "protocol",
      only: { direction: ["ingress"] },
    },
    {
      types: ["alicloud_security_group_rule"],
      blocks: [],
      sources: names("cidr_ip ipv6_cidr_ip"),
      ports: { ranges: ["port_range"] },
      protocol: "ip_protocol",
      only: { type: ["ingress"], policy: ["accept"] },
    },
  ],
  admin: [
    {
      types: names("kubernetes_cluster_role_binding kubernetes_cluster_role_binding_v1"),
      attribute: "role_ref.name",
      grants: ["cluster-admin"],
      holders: [],
    },
  ],
};

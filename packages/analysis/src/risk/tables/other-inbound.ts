import { names, type InboundRules } from "./table.ts";

const YANDEX = {
  types: ["yandex_vpc_security_group"],
  blocks: ["ingress"],
  sources: names("v4_cidr_blocks v6_cidr_blocks"),
  protocol: "protocol",
};

/** Rules that let traffic in, and lists of addresses that may connect to a database, at other providers. */
export const INBOUND_ELSEWHERE: readonly InboundRules[] = [
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
  {
    types: names("oci_core_security_list oci_core_default_security_list"),
    blocks: ["ingress_security_rules"],
    sources: ["source"],
    ports: { from: "min", to: "max", inside: { tcp: ["tcp_options"], udp: ["udp_options"] } },
    protocol: "protocol",
    only: { source_type: ["cidr_block"] },
  },
  {
    types: ["oci_core_network_security_group_security_rule"],
    blocks: [],
    sources: ["source"],
    ports: {
      from: "min",
      to: "max",
      inside: {
        tcp: names("tcp_options destination_port_range"),
        udp: names("udp_options destination_port_range"),
      },
    },
    protocol: "protocol",
    only: { direction: ["ingress"], source_type: ["cidr_block"] },
  },
  ...[
    {
      types: names("mongodbatlas_project_ip_access_list mongodbatlas_project_ip_whitelist"),
      sources: ["cidr_block"],
    },
    {
      types: ["digitalocean_database_firewall"],
      blocks: ["rule"],
      sources: ["value"],
      only: { type: ["ip_addr"] },
    },
    { types: ["scaleway_rdb_acl"], blocks: ["acl_rules"], sources: ["ip"] },
    { types: ["ovh_cloud_project_database_ip_restriction"], sources: ["ip"] },
    { types: ["snowflake_network_policy"], sources: ["allowed_ip_list"] },
    { types: ["databricks_ip_access_list"], sources: ["ip_addresses"], only: { list_type: ["allow"] } },
  ].map((row) => ofDatabase(row)),
  {
    types: ["linode_firewall"],
    blocks: ["inbound"],
    sources: names("ipv4 ipv6"),
    ports: { ranges: ["ports"] },
    protocol: "protocol",
    only: { action: ["accept"] },
  },
  {
    types: names("scaleway_instance_security_group scaleway_instance_security_group_rules"),
    blocks: ["inbound_rule"],
    sources: names("ip_range ip"),
    ports: { ranges: names("port_range port") },
    protocol: "protocol",
    only: { action: ["accept"] },
  },
  {
    types: ["exoscale_security_group_rule"],
    blocks: [],
    sources: ["cidr"],
    ports: { from: "start_port", to: "end_port" },
    protocol: "protocol",
    only: { type: ["ingress"] },
  },
  // A rule names one port, or -1 and a range.
  { ...YANDEX, ports: { ranges: ["port"] }, only: {} },
  { ...YANDEX, ports: { from: "from_port", to: "to_port" }, only: { port: ["-1"] } },
  {
    types: ["tencentcloud_security_group_rule"],
    blocks: [],
    sources: ["cidr_ip"],
    ports: { ranges: ["port_range"] },
    protocol: "ip_protocol",
    only: { type: ["ingress"], policy: ["accept"] },
  },
  {
    types: ["ibm_is_security_group_rule"],
    blocks: [],
    sources: ["remote"],
    ports: { from: "port_min", to: "port_max", inside: { tcp: ["tcp"], udp: ["udp"] } },
    protocol: "protocol",
    only: { direction: ["inbound"] },
  },
];

/** Describes a list of the addresses that may connect to a database, on its own port. */
function ofDatabase({
  blocks = [],
  only = {},
  ...row
}: Pick<InboundRules, "types" | "sources"> & Partial<Pick<InboundRules, "blocks" | "only">>): InboundRules {
  return { ...row, blocks, only, ports: { ranges: [] }, protocol: "protocol" };
}

import type { Loss } from "@leeway/clouds/loss";

/** Purposes that type names reveal, at any provider. */

/** Types whose rules, policies or settings prevent something. */
export const GUARDS =
  /polic(?:y|ies)_assignment|org(?:anization)?_polic(?:y|ies)|conditional_access|ruleset|branch_protection|tag_protection|binary_authorization|admission|webhook_configuration|firewall|waf|web_acl|security_policy|deny_policy|guardrail|_lock$|_lien$|ddos|shield_protection|permissions_boundary|pod_security|network_policy_attachment|(?:^|_)fms_|okta_policy|sign_?on_policy/;

/** Types that are a program's settings, regardless of their names and values. */
export const SETTINGS_OF_PROGRAMS =
  /_variable$|ssm_parameter|config_map|consul_key|app_configuration_key|appconfig_hosted|environment_variable/;

/** Types that monitor events, and report or record them. */
export const WATCHERS =
  /detect(?:or|ion|ive)|security_monitoring|sentinel|guardduty|macie|inspector|securityhub|security_hub|security_center|defender|threat|_trail$|cloudtrail|flow_log|audit|(?:log|logging)_\w*sink$|diagnostic_setting|scanning|config_configuration_recorder|accessanalyzer|query_log|_logging(?:_configuration)?$|security_alert|log_delivery|activity_log|(?:^|_)scc_/;
/** Exceptions: types that only forward reports, or suppress something. */
export const BESIDE_WATCHERS =
  /contact|suppression|exemption|exclusion|filter|member|notification|channel|invitation|policy_attachment/;

/** Types that back up data or protect it from changes. */
export const BACKUPS =
  /backup_(?:schedule|plan|policy|selection|rule|instance|protected)|backup_(?:vault_lock|dr_plan)|_backups?_config|snapshot_(?:schedule|policy)|dlm_lifecycle|immutability|object_lock|replication_configuration|object_replication|replication_policy|automated_backups_replication|vault_lock|site_recovery_replicated/;

const VERSION = "(?:_v\\d+)?$";

/** Databases and message brokers. */
const STORES = new RegExp(
  "(?:^|_)(?:databases?|db|(?:my|postgre|ms)sql|postgres|mariadb|mongo(?:db)?|redis|valkey|cassandra|clickhouse|elasticsearch|opensearch|kafka|rabbitmq|etcd|prometheus|influxdb)" +
    "(?:_(?:cluster|instance|server|service|deployment|db|database|topic))?" +
    VERSION,
);
/** Other types that hold data. Tables of routes or addresses don't. */
const CONTENTS = new RegExp(
  "(?:^|_)(?:bucket|volume|disk|file_?system|file_?share|data_?set|data_?store|keyspace|collection|topic|queue|snapshot|repository|registry|vault|vault_cluster|(?<!rout(?:e|ing)_|lookup_|nat_|arp_|address_)table)" +
    VERSION,
);
/** Machines whose disks are part of them. */
const MACHINES = new RegExp(`(?:^|_)(?:virtual_?machine|virtual_?server|vm|vm_qemu|lxc|vps)${VERSION}`);
/** Types that something else depends on. */
const SERVERS = new RegExp(
  "(?:^|_)(?:server|instance|cluster|load_?balancer|lb|gateway|zone|record|record_set|domain|app|application|function|distribution|cdn)" +
    VERSION,
);
/** Providers, and Flux's API group, whose resources only describe what they are named after. */
const DESCRIPTIONS = /^(?:netbox|phpipam|nautobot|servicenow|backstage|source)_/;

/** Returns the loss that the name of a type suggests when a resource is deleted. */
export function lossInName(type: string): Loss {
  if (DESCRIPTIONS.test(type)) return "other";
  if ([STORES, CONTENTS, MACHINES].some((names) => names.test(type))) return "maybe_stateful";
  return SERVERS.test(type) ? "serving" : "other";
}

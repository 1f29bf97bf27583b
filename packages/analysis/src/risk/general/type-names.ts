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

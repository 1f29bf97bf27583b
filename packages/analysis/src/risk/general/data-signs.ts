import { R02 } from "../rules/R02-protection-removed.ts";
import { R13 } from "../rules/R13-encryption-weakened.ts";
import { R14 } from "../rules/R14-audit-weakened.ts";
import { meaning, OPPOSITE, SWITCHES, type GeneralSign } from "./sign.ts";
import { BACKUPS, WATCHERS } from "./type-names.ts";

/** Settings of any type that make data less protected, less encrypted or less monitored. */

const PROTECTING = "Removes protection";
const PLAIN = "Weakens encryption";
const UNSEEN = "Weakens logging or monitoring";

function either(one: RegExp, other: RegExp): RegExp {
  return new RegExp(`${one.source}|${other.source}`);
}

const ENCRYPTION: readonly GeneralSign[] = [
  {
    names: /signing_status|dnssec/,
    transition: "switched_off",
    case: R13.cases.weakened,
    message: "Stops signing",
  },
  {
    types: /dnssec/,
    names: SWITCHES,
    transition: "switched_off",
    case: R13.cases.weakened,
    message: "Stops signing",
  },
  {
    names:
      /(?:ssl|tls|https|encrypt|secure_transport|security_(?:level|protocol)|in_transit|(?:^|[._])protocols?$|client_broker)/,
    but: either(OPPOSITE, /health|probe|check|version|ip_protocol|enabled_for_/),
    transition: "plainer",
    case: R13.cases.weakened,
    message: PLAIN,
  },
  {
    names: /(?:^|[._])protocols$/,
    but: /ip_protocols|health/,
    transition: ["ftp", "http", "telnet", "ldap"],
    case: R13.cases.weakened,
    message: PLAIN,
  },
  {
    names: /(?:^|[._])(?:insecure|plain_?text|skip_(?:tls|ssl)|disable_(?:ssl|tls)|allow_http$|unencrypted)/,
    transition: "on",
    case: R13.cases.weakened,
    message: PLAIN,
  },
  {
    names: /verify_(?:ssl|tls|cert)|(?:ssl|tls)_verif|validate_cert/,
    transition: "off",
    case: R13.cases.weakened,
    message: PLAIN,
  },
  {
    names: /tls_\w*version|protocol_version|ssl_policy|tls_policy|min\w*_tls/,
    transition: "older_tls",
    case: R13.cases.weakened,
    message: PLAIN,
  },
  {
    names:
      /(?:encryption_(?:option|type|mode|status)|sse_algorithm|encryption_(?:configuration|config|settings?)|server_side_encryption(?:_configuration)?|(?:^|\.)encryption)$/,
    transition: "emptied",
    case: R13.cases.weakened,
    message: PLAIN,
  },
  {
    names: /kms_\w*key|kms_arn|encryption_key|customer_(?:managed|supplied)|cmk|cmek|key_vault_key_id/,
    transition: "emptied",
    case: R13.cases.keyManagement,
    message: "Weakens key management",
  },
];

const WATCHING: readonly GeneralSign[] = meaning(R14.cases.weakened, UNSEEN, [
  { types: WATCHERS, names: SWITCHES, but: /retention/, transition: "switched_off" },
  { types: WATCHERS, names: /(?:^|[._])auto_enable(?:\.|$)/, transition: "off" },
  { types: WATCHERS, names: /(?:^|[._])disabled$/, transition: "switched_off" },
  {
    names:
      /(?:audit|access_log|flow_log|logging|log_config|threat_detection|threat_protection|scan_on_push|vulnerability|detective_control)\w{0,20}(?:\.(?:is_)?(?:enabled?|status|state|mode))?$/,
    but: either(OPPOSITE, /level|format|retention|days|prefix|debug|execution_data|termination_protection/),
    transition: "switched_off",
  },
  {
    names:
      /access_log\w{0,12}\.(?:destination|bucket|format)|logging_config\w{0,10}\.|log_destination|audit_log\w{0,12}\./,
    transition: "emptied",
  },
  { names: /(?:enabled_\w{0,20}logs?\w{0,10}|log_exports?|logs_exports|log_types?)$/, transition: "fewer" },
]);

const NOTIFYING: GeneralSign = {
  names: /(?:^|[._])(?:alert_notifications?|alerts_enabled|email_account_admins|notifications?_enabled)$/,
  transition: "off",
  case: R14.cases.reduced,
  message: "No longer reports",
};

/** Types whose data is deleted on expiry; Azure keys only become unusable. */
const EXPIRING = /^(?!azurerm_key_vault)/;
const EXPIRY =
  /(?:^|[._])(?:expire_time|expiration(?:_time|_date)?|expires?_(?:at|on|in)|ttl|default_ttl|\w{0,10}time_to_live\w{0,10}|message_ttl|expiration_ms|table_expiration_ms)$/;

const DEFAULT_EXPIRY = /default_(?:table|partition)_expiration/;
/** Retention of copies elsewhere, and other expiries without data loss. */
const NO_EXPIRY = either(DEFAULT_EXPIRY, /dead_letter|soa_|record|cache/);

const PROTECTION: readonly GeneralSign[] = [
  {
    types: BACKUPS,
    names: SWITCHES,
    but: /delete_marker|metrics/,
    transition: "switched_off",
    case: R02.cases.protectionRemoved,
    message: PROTECTING,
  },
  {
    types: BACKUPS,
    names: /(?:^|[._])(?:disabled|deactivated|paused|suspended)$/,
    transition: "switched_off",
    case: R02.cases.protectionRemoved,
    message: PROTECTING,
  },
  {
    names:
      /(?:delet(?:e|ion)_protection|termination_protection|purge_protection|soft_delete|point_in_time|(?:^|[._])pitr|versioning|immutab|object_lock|backup|replicat|legal_hold|final_snapshot)\w{0,20}(?:\.(?:is_)?(?:enabled?|status|state))?$/,
    but: either(OPPOSITE, /copy_tags|delete_marker|days|count|window|time$|role|size/),
    transition: "off",
    case: R02.cases.protectionRemoved,
    message: PROTECTING,
    isOfData: true,
  },
  {
    names: DEFAULT_EXPIRY,
    transition: "set",
    case: R02.cases.protectionReduced,
    message: "Lets new data expire",
    isOfData: true,
  },
  {
    names: DEFAULT_EXPIRY,
    transition: "sooner",
    case: R02.cases.protectionReduced,
    message: "Lets new data expire sooner",
    isOfData: true,
  },
  {
    types: EXPIRING,
    names: EXPIRY,
    but: NO_EXPIRY,
    transition: "set",
    case: R02.cases.protectionRemoved,
    message: "Lets data expire",
    isOfData: true,
  },
  {
    types: EXPIRING,
    names: EXPIRY,
    but: NO_EXPIRY,
    transition: "sooner",
    case: R02.cases.protectionRemoved,
    message: "Lets data expire sooner",
    isOfData: true,
  },
  {
    types: /lifecycle|_ilm/,
    names: /(?:^|[._])delete\.min_age$/,
    transition: "sooner",
    case: R02.cases.protectionRemoved,
    message: "Lets data expire sooner",
  },
  {
    names: /ttl\.enabled$|time_to_live\.enabled$/,
    transition: "on",
    case: R02.cases.protectionReduced,
    message: "Lets items expire",
    isOfData: true,
  },
  {
    types: /^(?!\w*log)/,
    names: /retention/,
    but: /log|metric|query|performance|insight|max_|interval/,
    transition: "ended",
    case: R02.cases.protectionRemoved,
    message: PROTECTING,
    isOfData: true,
  },
  {
    names:
      /retention\w{0,20}(?:days?|hours|minutes|period|duration|ms|seconds|weekly|monthly|yearly)|retention\.ms$|message_retention|data_retention|retained?_count|delete_after|keep_(?:days|count)|(?:weekly|monthly|yearly)_retention/,
    but: /max_|performance|insight/,
    transition: "shorter",
    case: R02.cases.protectionReduced,
    message: "Keeps it for less time",
  },
  {
    types: BACKUPS,
    names: /retention|retain|keep/,
    transition: "shorter",
    case: R02.cases.protectionReduced,
    message: "Keeps backups for less time",
  },
  {
    names: /(?:cleanup|lifecycle|retention)\w{0,20}dry_run$/,
    transition: "off",
    case: R02.cases.protectionReduced,
    message: "Deletes what it only listed before",
  },
];

export const DATA_SIGNS: readonly GeneralSign[] = [...ENCRYPTION, ...WATCHING, NOTIFYING, ...PROTECTION];

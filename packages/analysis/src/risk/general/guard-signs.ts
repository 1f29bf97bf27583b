import { R02 } from "../rules/R02-protection-removed.ts";
import { R10 } from "../rules/R10-public-data.ts";
import { R11 } from "../rules/R11-privilege-escalation.ts";
import { R12 } from "../rules/R12-iam-change.ts";
import { meaning, OPPOSITE, SWITCHES, type GeneralSign } from "./sign.ts";
import { GUARDS } from "./type-names.ts";

/** Settings of any type that open access to people who were kept out. */

const GUARDING = "Removes a guard";
const SIGN_IN = "Weakens authentication";
const PUBLISHING = "Allows public access";

export const TRUST_SIGNS: readonly GeneralSign[] = [
  {
    types: /identity_pool_provider/,
    names: /attribute_condition$/,
    transition: "emptied",
    case: R11.cases.escalation,
    message: "Lets any identity of the provider sign in",
  },
  {
    names: /allowed?_origins?$/,
    transition: "anybody",
    case: R12.cases.changed,
    message: "Lets scripts of any site use it",
  },
];

export const SIGN_IN_SIGNS: readonly GeneralSign[] = meaning(R02.cases.guardRemoved, SIGN_IN, [
  {
    names:
      /(?:auth(?:entication|orization|n|z)?_(?:type|mode|method|level|scheme)|authorization|authentication|acl_name|authentication_mode\.type)$/,
    transition: "unauthenticated",
  },
  { types: /guardian/, names: /(?:^|[._])policy$/, transition: ["never"] },
  { names: /mfa|two_?factor|multi_?factor|second_factor|2fa/, transition: "loosened" },
  { names: /(?:^|[._])action\.type$/, transition: { leaves: ["authenticate-oidc", "authenticate-cognito"] } },
  {
    names:
      /subscription_required|api_key_required|require\w{0,20}_(?:auth|sign|login|approval|mfa|password|key)|auth(?:entication|orization)?_(?:enabled|required|enforced)$|(?:^|[._])iap\.enabled|auth_settings\w{0,3}\.enabled|require_authentication|signature_\w{0,10}required|local_account_disabled|local_auth\w{0,12}_disabled|disable_password_auth|rbac_enabled|access_control_enabled|client_cert\w{0,10}_(?:enabled|required)|security_options\.enabled|enable_oslogin|authentication_only$/,
    but: /local_auth\w{0,12}_enabled|local_user|password_auth|password_required|keys?_auth|basic|anonym|shared|legacy|iam_database|unauthenticated|cache/,
    transition: "off",
  },
  {
    names:
      /no_password|anonymous|unauthenticated|admin_(?:user_)?enabled$|local_user_enabled|password_auth\w{0,12}_enabled|basic_auth|legacy_auth|legacy_abac|skip_auth|disable_auth|issue_client_certificate|api_key_enabled/,
    but: /disable_(?:anonymous|basic|legacy)|anonymous_pull/,
    transition: "on",
  },
  {
    names:
      /trusted_key_groups|trusted_signers|origin_access_|authorizer_id|reviewers|bound_(?:claims|subject|audiences|cidrs)|authenticate_(?:oidc|cognito)|allowed_audience/,
    transition: "emptied",
  },
  {
    names:
      /bound_\w+$|principals?$|identity_type$|identities$|subjects?$|allowed_(?:users|groups|roles|identities)$/,
    transition: "anybody",
  },
]);

const BLOCKING: readonly GeneralSign[] = meaning(R02.cases.guardRemoved, GUARDING, [
  {
    names: /./,
    but: /(?:^|[._])(?:access|rule_action|http_tokens)$|ssl|tls|encrypt|public_access/,
    transition: "unblocked",
  },
  { names: /enforce(?!_ssl|_tls|_https)/, but: /deletion|private_link/, transition: "loosened" },
  { types: GUARDS, names: SWITCHES, but: /visibility_config|metrics|proxy|logging/, transition: "loosened" },
  { types: GUARDS, names: /remediation_enabled/, transition: "off" },
  { types: GUARDS, names: /(?:^|[._])(?:(?:is_)?disabled)$/, transition: "on" },
  {
    names: /(?:^|[._])(?:preview|dry_?run|(?:report|audit|log|monitor|count|detection)_only)$/,
    but: OPPOSITE,
    transition: "on",
  },
  { types: GUARDS, names: /required?_/, but: /strict$|dismiss/, transition: "off" },
  { types: GUARDS, names: /required?_/, transition: "zero" },
  { types: GUARDS, names: /required?_/, transition: "emptied" },
  { names: /allows?_(?:force_push|deletion)|bypass/, but: /lockout_safety_check/, transition: "on" },
  { types: GUARDS, names: /bypass/, transition: "set" },
  {
    names: /(?:firewall_policy_(?:link_)?id|web_acl_(?:id|arn)|(?:^|[._])(?:edge_)?security_policy)$/,
    transition: "emptied",
  },
  { types: GUARDS, names: /protection$/, transition: "off" },
  { names: /(?:^|_)lock(?:ed)?$|network_policy(?:\.enabled)?$/, transition: "off" },
  { names: /(?:restricted|denied|blocked|prohibited)_\w{1,20}$/, transition: "fewer" },
  { names: /ddos\w{0,20}\.enabled?$|threat_intel/, transition: "loosened" },
]);

const PUBLIC: readonly GeneralSign[] = [
  {
    names: /(?:^|[._])everyone$/,
    transition: "on",
    case: R10.cases.access,
    message: "Lets everyone in",
  },
  {
    names:
      /(?:type|types|visibility|scheme|access|access_mode|network\w{0,10}|ingress\w{0,10}|endpoint\w{0,20}|connectivity\w{0,10}|mode)$/,
    transition: "published",
    case: R10.cases.access,
    message: PUBLISHING,
  },
  {
    names:
      /public_?(?:network_?)?access|public_network_enabled|associate_public_ip|from_?public|publicly_|public_ip\w{0,20}enabled|enable_public_ip|assign_public_ip|public_endpoint|internet_facing|allow_public/,
    but: /block|restrict|ignore|prevent|disable|deny|prohibit/,
    transition: "on",
    case: R10.cases.unblocked,
    message: PUBLISHING,
  },
  {
    names:
      /block_public|restrict_public|ignore_public|private_(?:only|endpoint|cluster|nodes)\w{0,10}$|disable_public|(?:^|[._])(?:internal|is_private)$/,
    transition: "off",
    case: R10.cases.unblocked,
    message: PUBLISHING,
  },
  {
    names:
      /(?:allow|authorized|trusted|permitted|whitelist|access_list|ip_filter|ip_range)\w{0,20}(?:\.\w{0,20})?$/,
    but: /origin|rules?\.|match|config\./,
    transition: "everybody",
    case: R10.cases.unblocked,
    message: PUBLISHING,
  },
];

export const GUARD_SIGNS: readonly GeneralSign[] = [...PUBLIC, ...BLOCKING];

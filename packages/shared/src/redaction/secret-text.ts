import { redactAssignments } from "./assigned-text.ts";
import { redactCommands } from "./command-text.ts";
import { isSecret, REDACTED } from "./secret-names.ts";

/** Tokens that show by their form what they are: makers of keys give them prefixes for that. */
const FORMS = [
  String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)`,
  String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
  String.raw`\b(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[\w+/=]{20,}`,
  String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  String.raw`\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|gl[a-z]{1,7}-[\w-]{20,}|GR1348941[\w-]{20})`,
  String.raw`\b(?:xox[a-eoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}|sk-[\w-]{20,}|[rs]k_(?:live|test)_\w{10,})`,
  String.raw`\b(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})`,
  String.raw`(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}`,
  String.raw`\b(?:npm_\w{30,}|pypi-[\w-]{30,}|rubygems_[a-f0-9]{30,}|dckr_(?:pat|oat)_[\w-]{20,})`,
  String.raw`\b(?:hv[sbr]\.[\w-]{20,}|\w{14}\.atlasv1\.[\w-]{30,}|pul-[a-f0-9]{40}|dapi[a-f0-9]{32}|do[por]_v1_\w{30,})`,
  String.raw`\b(?:SG\.[\w-]{16,}\.[\w-]{16,}|shp(?:at|ca|pa|ss)_[a-f0-9]{32}|hf_\w{20,}|gsk_\w{20,}|nvapi-[\w-]{20,}|glsa_\w{20,})`,
  String.raw`\b(?:AGE-SECRET-KEY-1[A-Z0-9]{20,}|tskey-[a-z]+-[\w-]{20,}|fm2_[\w+/=]{20,}|sbp_[a-f0-9]{40})`,
  String.raw`\b(?:AT(?:ATT|CTT)3[\w=-]{20,}|ATBB\w{20,}|lin_api_\w{20,}|PMAK-[\w-]{20,}|figd_[\w-]{20,})`,
  String.raw`\b(?:NRAK-[A-Z0-9]{27}|sntry[su]_[\w+/=]{20,}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}|ops_eyJ[\w-]{20,})`,
  String.raw`\b(?:nfp_\w{30,}|fo1_[\w-]{30,}|HRKU-[\w-]{30,}|pscale_(?:tkn|pw|oauth)_[\w.-]{30,}|sb_secret_[\w-]{20,}|glc_eyJ[\w+/=-]{20,})`,
  String.raw`\b(?:xai-\w{40,}|pplx-\w{40,}|r8_\w{30,}|lsv2_(?:pt|sk)_\w{32,}|bkua_[a-f0-9]{40}|CCIPAT_\w{20,}|ntn_\w{40,})`,
  String.raw`\b(?:dt0[a-z]\d\d\.[A-Z0-9]{20,}\.[A-Z0-9]{40,}|AKCp\w{60,}|mdb_sa_sk_[\w-]{20,}|pnu_\w{30,}|tfp_[\w-]{40,}|sq0(?:atp|csp)-[\w-]{20,})`,
  String.raw`\b(?:BBDC-[\w+/]{40,}|CFPAT-[\w-]{40,}|EZ[AT]K\w{50,}|rdme_\w{60,}|xkeysib-[a-f0-9]{64}-\w{16}|dose[a-f0-9]{32}|napi_\w{40,})`,
  String.raw`\b(?:snyk_uat\.[\w.-]{20,}|sk\.eyJ[\w-]{20,}\.[\w-]{20,}|\d{8,10}:AA[\w-]{33}\b)`,
  // Passwords as hashes, which can be guessed.
  String.raw`\$(?:2[abxy]\$\d\d\$[\w./]{53}|(?:[156y]|apr1)\$(?:rounds=\d{1,9}\$)?[\w./]{1,40}\$[\w./]{20,}|argon2(?:id?|d)\$[\w=,$+/.-]{30,})`,
  String.raw`PuTTY-User-Key-File-\d[\s\S]*?(?:Private-MAC: \w{1,200}|$)`,
  String.raw`\b(?:leeway_[A-Za-z0-9]{8}_\w{38}|whsec_[\w+/=]{16,})`,
  String.raw`(?<=\bhooks\.slack\.com\/)(?:services|workflows|triggers)\/[\w/]+`,
  String.raw`(?<=\.webhook\.office\.com\/)[^\s"'<>]+`,
  String.raw`(?<=\bdiscord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]+`,
];
const FORM = new RegExp(FORMS.join("|"), "g");
const FORM_SIGN =
  /PRIVATE KEY|A[KS]IA|FwoG|IQoJ|eyJ|gh[oprsu]_|github_pat|gl[a-z]+-|GR13|xox|xapp|[rs]k[-_]|AIza|ya29|GOCSPX|Q~|npm_|pypi-|rubygems_|dckr_|hv[sbr]\.|atlasv1|pul-|dapi|do[por]_v1|SG\.|shp|hf_|gsk_|nvapi|glsa_|AGE-S|tskey|fm2_|sbp_|AT[ACB]|lin_api|PMAK|figd|NRAK|sntry|dp\.|leeway_|whsec_|hooks\.slack|webhook|nfp_|fo1_|HRKU|pscale_|sb_secret|glc_|xai-|pplx-|r8_|lsv2_|bkua_|CCIPAT|ntn_|dt0|AKCp|mdb_sa|pnu_|tfp_|sq0|BBDC|CFPAT|EZ[AT]K|rdme_|xkeysib|dose|napi_|snyk_|sk\.|:AA|\$(?:2|[156y]\$|apr1|argon2)|PuTTY/;

const QUERY =
  /([?&](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token)|code|key|auth)=)((?:[^&\s"'#<>\\]|\\(?!\\{0,8}["']))+)/gi;
const USER_INFO = /(:\/\/[^/\s:@"'<>]{0,64}:)(?!\d{1,5}[/?#\s])([^\s"'<>]{1,200})(?=@)/g;
/** As drivers of Go write it: a user, a password, and how the server is reached. */
const GO_USER_INFO = /\b([\w.-]{1,64}:)([^\s"'<>]{1,200})(?=@(?:tcp|unix)\()/g;
const USER_TOKEN = /(:\/\/)([\w-]{20,200})(?=@)/g;
const HEADER =
  /\b(authorization(?:\\{0,4}["']\s{0,3}[:=]\s{0,3}(?=\\{0,4}["'])|\s{0,3}[:=]\s{0,3}(?![\s[{]))\\{0,4}["']?(?:[a-z][\w-]{2,20}\s{1,3}(?=[^\s"'\\]))?)([^\s"'\\]+)/gi;
const BEARER = /\b(bearer|token)(\s{1,3})([\w+/=.~-]{16,})/gi;
const BASIC = /\b(basic)(\s{1,3})([\w+/=-]{4,})/gi;
const SPOKEN = /\b((?:identified\s{1,3}by|password)\s{1,3})'([^'\n]{1,200})'/gi;
const ELEMENT = /(<[\w:.-]{0,60}(?:password|secret|token|apikey)[\w:.-]{0,60}>)([^<]+)(?=<\/)/gi;

/** What everything but a token that shows by itself what it is has between a name and a secret. */
const BETWEEN = /[\s=:<,]/;
/** Of the tokens that show by themselves what they are. */
const SHORTEST_FORM = 15;

/** `text` with everything that has the form of a secret replaced. */
export function redactText(text: string): string {
  let cleaned = redactForms(text);
  if (!BETWEEN.test(cleaned)) return cleaned;
  if (cleaned.includes("://")) {
    cleaned = cleaned.replaceAll(USER_INFO, `$1${REDACTED}`).replaceAll(USER_TOKEN, `$1${REDACTED}`);
  }
  if (/@(?:tcp|unix)\(/.test(cleaned)) cleaned = cleaned.replaceAll(GO_USER_INFO, `$1${REDACTED}`);
  if (cleaned.includes("=")) cleaned = cleaned.replaceAll(QUERY, `$1${REDACTED}`);
  if (/authorization|bearer|basic|token/i.test(cleaned)) {
    cleaned = cleaned.replaceAll(HEADER, hideCredentials).replaceAll(BEARER, hideBearer);
    cleaned = cleaned.replaceAll(BASIC, hideBasic);
  }
  if (cleaned.includes("</")) cleaned = cleaned.replaceAll(ELEMENT, `$1${REDACTED}`);
  if (/identified|password/i.test(cleaned)) cleaned = cleaned.replaceAll(SPOKEN, `$1'${REDACTED}'`);
  return redactAssignments(redactCommands(cleaned));
}

/** `text` without the tokens that show by themselves what they are. */
export function redactForms(text: string): string {
  return text.length >= SHORTEST_FORM && FORM_SIGN.test(text) ? text.replaceAll(FORM, REDACTED) : text;
}

/** `Authorization: <scheme> <credentials>`, or one of the words that stand for no credentials. */
function hideCredentials(whole: string, before: string, credentials: string): string {
  return isSecret("authorization", credentials) ? before + REDACTED : whole;
}

/** A word behind "bearer" is a token when no word of a language looks like it. */
function hideBearer(whole: string, scheme: string, blank: string, token: string): string {
  return /[\d+/=._~]/.test(token) || token.length >= 32 ? scheme + blank + REDACTED : whole;
}

/** `Basic` is followed by `user:password` in base64, or it is a word like any other. */
function hideBasic(whole: string, scheme: string, blank: string, encoded: string): string {
  return Buffer.from(encoded, "base64").includes(":") ? scheme + blank + REDACTED : whole;
}

import { redactAssignments } from "./assigned-text.ts";
import { redactCommands } from "./command-text.ts";
import { redactDecoded } from "./decoded-text.ts";
import { isRandom } from "./random-text.ts";
import { isSecret } from "./secret-names.ts";
import { REDACTED } from "../../values/redacted.ts";
import { redactContinued, redactSpoken } from "./spoken-text.ts";

/** Tokens with a recognizable form, such as the prefix that a vendor gives its keys. */
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
  // Password hashes, which can be cracked.
  String.raw`\$(?:2[abxy]\$\d\d\$[\w./]{53}|(?:[156y]|apr1)\$(?:rounds=\d{1,9}\$)?[\w./]{1,40}\$[\w./]{20,}|argon2(?:id?|d)\$[\w=,$+/.-]{30,})`,
  String.raw`PuTTY-User-Key-File-\d[\s\S]*?(?:Private-MAC: \w{1,200}|$)`,
  String.raw`(?<![\w.-])s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w.-])`,
  String.raw`\b(?:leeway_[A-Za-z0-9]{8}_\w{38}|whsec_[\w+/=]{16,})`,
  String.raw`(?<=\bhooks\.slack\.com\/)(?:services|workflows|triggers)\/[\w/]+`,
  String.raw`(?<=\.webhook\.office\.com\/)[^\s"'<>]+`,
  String.raw`(?<=\bdiscord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]+`,
];
const FORM = new RegExp(FORMS.join("|"), "g");
const FORM_SIGN =
  /PRIVATE KEY|A[KS]IA|FwoG|IQoJ|eyJ|gh[oprsu]_|github_pat|gl[a-z]{1,7}-|GR13|xox|xapp|[rs]k[-_]|AIza|ya29|GOCSPX|Q~|npm_|pypi-|rubygems_|dckr_|hv[sbr]\.|atlasv1|pul-|dapi|do[por]_v1|SG\.|shp|hf_|gsk_|nvapi|glsa_|AGE-S|tskey|fm2_|sbp_|AT[ACB]|lin_api|PMAK|figd|NRAK|sntry|dp\.|leeway_|whsec_|hooks\.slack|webhook|nfp_|fo1_|HRKU|pscale_|sb_secret|glc_|xai-|pplx-|r8_|lsv2_|bkua_|CCIPAT|ntn_|dt0|AKCp|mdb_sa|pnu_|tfp_|sq0|BBDC|CFPAT|EZ[AT]K|rdme_|xkeysib|dose|napi_|snyk_|sk\.|:AA|\$(?:2|[156y]\$|apr1|argon2)|PuTTY|s\.[A-Za-z0-9]{24}/;

const QUERY =
  /([?&](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token)|code|key|auth)=)([^&\s"'#<>\\]*(?:\\(?!\\{0,8}["'])[^&\s"'#<>\\]*)*)/gi;
const USER_INFO = /(:\/\/[^/\s:@"'<>]{0,64}:)(?!\d{1,5}[/?#\s])([^\s"'<>]{1,200})(?=@)/g;
/** Credentials in a Go driver's DSN: user, password, and the transport. */
const GO_USER_INFO = /\b([\w.-]{1,64}:)([^\s"'<>]{1,200})(?=@(?:tcp|unix)\()/g;
const USER_TOKEN = /(:\/\/)([\w-]{20,200})(?=@)/g;
const HEADER =
  /\b(authorization(?:\\{0,4}["']\s{0,3}[:=]\s{0,3}(?=\\{0,4}["'])|\s{0,3}[:=]\s{0,3}(?![\s[{]))\\{0,4}["']?(?:[a-z][\w-]{2,20}\s{1,3}(?=[^\s"'\\]))?)([^\s"'\\]+)/gi;
const BEARER = /\b(bearer|token)(\s{1,3})([\w+/=.~-]{16,})/gi;
const BASIC = /\b(basic)(\s{1,3})([\w+/=-]{4,})/gi;
const ELEMENT =
  /(<[\w:.-]{0,60}(?:passw(?:or)?d|pwd|passphrase|secret|token|apikey)[\w:.-]{0,60}>)(?:[^<]+(?=<\/)|<!\[CDATA\[[^\]]{1,2000}(?:\]\]>)?)/gi;
/** An AWS secret access key has forty characters; see {@link hideKey}. After a dot they are part of a name. */
const AWS_SECRET = /(?<![\w+/=.-])[A-Za-z0-9+/]{40}(?![\w+/=-])/g;
/** Database URLs: everything between the user and the last `@` is a password. */
const DATABASE_USER =
  /\b((?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|amqps?|rediss?|mssql|sqlserver|oracle):\/\/[^/\s:@"'<>]{0,64}:)([^\s"'<>]{1,200})(?=@)/g;

/** Separators between a name and a secret. Any secret without a recognizable form needs one. */
const BETWEEN = /[\s=:<,]/;
/** Length of the shortest token in {@link FORMS}. */
const SHORTEST_FORM = 15;
const AWS_SECRET_LENGTH = 40;

/** Longer texts are hidden completely. Kubernetes objects and states rarely contain longer ones. */
export const LONGEST_TEXT = 1 << 20;
const TOO_LONG = `${REDACTED}: the text exceeds ${LONGEST_TEXT} characters`;

/** Replaces every secret in a text, including encoded ones. */
export function redactText(text: string): string {
  return redactDecoded(redactPlain(text), redactPlain);
}

/** Replaces the secrets that show without decoding. */
function redactPlain(text: string): string {
  let cleaned = redactForms(text);
  if (!BETWEEN.test(cleaned)) return cleaned;
  if (cleaned.includes("://")) {
    cleaned = cleaned.replaceAll(DATABASE_USER, `$1${REDACTED}`);
    cleaned = cleaned.replaceAll(USER_INFO, `$1${REDACTED}`).replaceAll(USER_TOKEN, `$1${REDACTED}`);
  }
  if (/@(?:tcp|unix)\(/.test(cleaned)) cleaned = cleaned.replaceAll(GO_USER_INFO, `$1${REDACTED}`);
  if (cleaned.includes("=")) cleaned = cleaned.replaceAll(QUERY, `$1${REDACTED}`);
  if (/authorization|bearer|basic|token/i.test(cleaned)) {
    cleaned = cleaned.replaceAll(HEADER, hideCredentials).replaceAll(BEARER, hideBearer);
    cleaned = cleaned.replaceAll(BASIC, hideBasic);
  }
  if (cleaned.includes("</")) cleaned = cleaned.replaceAll(ELEMENT, `$1${REDACTED}`);
  return redactContinued(redactAssignments(redactCommands(redactSpoken(cleaned))));
}

/** Replaces tokens that have a recognizable form. */
export function redactForms(text: string): string {
  if (text.length > LONGEST_TEXT) return TOO_LONG;
  if (text.length < SHORTEST_FORM) return text;
  const cleaned = FORM_SIGN.test(text) ? text.replaceAll(FORM, REDACTED) : text;
  return cleaned.length < AWS_SECRET_LENGTH ? cleaned : cleaned.replaceAll(AWS_SECRET, hideKey);
}

/** Hides an AWS secret access key, which is recognizable only by its length and randomness. */
function hideKey(word: string): string {
  return isRandom(word) ? REDACTED : word;
}

/** Hides the credentials in `Authorization: <scheme> <credentials>`, unless a keyword such as `NONE` stands there. */
function hideCredentials(whole: string, before: string, credentials: string): string {
  return isSecret("authorization", credentials) ? before + REDACTED : whole;
}

/** Hides the word after "bearer" if it doesn't look like an ordinary word. */
function hideBearer(whole: string, scheme: string, blank: string, token: string): string {
  return /[\d+/=._~]/.test(token) || token.length >= 32 ? scheme + blank + REDACTED : whole;
}

/** Hides `user:password` in base64 after `Basic`. Otherwise "basic" is an ordinary word. */
function hideBasic(whole: string, scheme: string, blank: string, encoded: string): string {
  return Buffer.from(encoded, "base64").includes(":") ? scheme + blank + REDACTED : whole;
}

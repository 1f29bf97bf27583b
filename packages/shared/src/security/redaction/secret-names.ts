import { isRandom } from "./random-text.ts";

/** Names, in lower case without separators, whose value is always secret. */
const SECRET_NAME = new RegExp(
  [
    "passw(?:or[dt]|d)|passphrase|passcode|pwd?$|secret|token|credential|creds?$|salt$|redisauth$",
    "(?<!by|com|over|sur|tres|under|multi|single|two)pass$",
    "apikey|keystring$|keymaterial$|rawkey$|rsaencryptedkey$|presharedkey|psk$",
    "privatekey|(?:access|shared|account|master|encryption|decryption|signing|storage|admin|auth|host|function|system" +
      "|license|app|application|jwt|session|cookie|primary|secondary|client|tls|ssl|server|ca|cert|certificate|subscription|instrumentation|deploy" +
      "|integration|hmac)key(?:pem|base64|b64|der|data|value|string|material|bytes|hex|content|plaintext|wo)?s?$",
    "connectionstring|connstr$|sas(?:url|uri)$|webhook(?:url|uri)$",
    "userdata(?:base64|raw|wo)?$|customdata$|startupscript|kubeconfig|cloudinit$|ignitionconfig$",
    "pfx|pkcs12|totp|seed$|recoverycodes?$|backupcodes?$",
    "authheader|^(?:set)?cookie$|^pin$",
    "contrasen?a|kennwort|wachtwoord|motdepasse",
    // Attributes that provider schemas mark as sensitive.
    "plaintext(?:value)?$|encryptedvalue$|^datajson(?:wo)?$",
  ].join("|"),
);

/** Harmless tokens: they identify a request or a page, or are counted. */
const HARMLESS_NAME =
  /(?:creation|request|client|next|skip|continuation|page|pagination|idempotency)token$|tokenizers?$|(?:max|min|num|total|input|output|prompt|completion|used|http)tokens$/;

/** Last words of names that describe a secret without holding it. */
const ABOUT = new Set(
  (
    "arn arns name names id ids url urls uri uris path paths type types kind version versions versioning policy " +
    "policies length size count number enabled disabled ttl duration expiry expiration expires expired at date age " +
    "days hours minutes seconds min max minimum maximum required rotation rules rule algorithm format usage source " +
    "ref refs reference references limit status state use uses used validity unit units stage stages permission " +
    "permissions endpoint endpoints issuer audience scope scopes strategy mode prevention location region regions " +
    "description label labels title hint fingerprint thumbprint created modified updated manager provider providers " +
    "store creator vault backend engine method methods requirements complexity history lockout field header prefix " +
    "interval period timeout threshold window allowed supported optional exists present reset lifetime retention " +
    "auth authentication validation expression time"
  ).split(" "),
);
/** The same for names that are a single word. */
const ABOUT_ENDING = /(?:arn|names?|ids?|urls?|uri|path|type|version|policy|length|ttl|enabled|expiration)$/;

/** Names whose value is secret unless it is a keyword such as `NONE` or `AWS_IAM`. */
const MAYBE_NAME = /^(?:proxy|x)?authorization$|^auth$|^x[a-z]*auth$/;
/** Names whose value is secret if it looks random. */
const KEY_NAME = /(?:key|jwt|signing|hmac|vault|cipher|pepper)$|^(?:jwt|hmac)/;
/** Redis's password for its master. Google's `master_auth`, in contrast, is a block of settings. */
const AS_WRITTEN = /^(?:--)?masterauth$/;
const WORD_OF_A_SET = /^[A-Z_]+$/;

/** A reference to a secret, or a keyword for the absence of one. */
const REFERENCE = new RegExp(
  [
    String.raw`^arn:[\w-]+:[\w-]+:[\w-]*:\d*:\S+$`,
    String.raw`^projects/[^/\s]+/(?:locations/[^/\s]+/)?secrets/[\w/.-]+$`,
    String.raw`^https://[\w-]+\.vault\.azure\.net/(?:secrets|keys|certificates)/[\w/-]+$`,
    String.raw`^@Microsoft\.KeyVault\([^)]*\)$`,
    String.raw`^\{\{resolve:(?:secretsmanager|ssm|ssm-secure):[^}]*\}\}$`,
    String.raw`^(?:\$\{[^}]*\}|\*+|true|false|none|null)$`,
  ].join("|"),
  "i",
);
const LONGEST_REFERENCE = 2_048;

/** Judgment of a member's value by its name. */
type Verdict = "secret" | "maybe" | "key" | "harmless";

/** Cache, because the same names occur in many resources. */
const verdicts = new Map<string, Verdict>();
const MAX_NAMES = 10_000;
const LONGEST_NAME = 100;

/**
 * Checks whether a member of this name holds a secret.
 * @param value the member's value if it is a string
 */
export function isSecret(name: string, value?: string): boolean {
  const verdict = verdictOn(name);
  if (verdict === "harmless" || (value !== undefined && isReference(value))) return false;
  if (verdict === "key") return value !== undefined && isRandom(value);
  return verdict === "secret" || value === undefined || !WORD_OF_A_SET.test(value);
}

function isReference(value: string): boolean {
  return value.length <= LONGEST_REFERENCE && REFERENCE.test(value);
}

function verdictOn(name: string): Verdict {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = judge(name);
  if (verdicts.size >= MAX_NAMES) verdicts.clear();
  if (name.length <= LONGEST_NAME) verdicts.set(name, verdict);
  return verdict;
}

function judge(name: string): Verdict {
  const together = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (MAYBE_NAME.test(together)) return "maybe";
  if (AS_WRITTEN.test(name)) return "secret";
  if (!SECRET_NAME.test(together) || HARMLESS_NAME.test(together)) return keyOrHarmless(name, together);
  return /(?:sas|webhook)ur[li]$|redisauth$/.test(together) || !isAbout(name, together)
    ? "secret"
    : "harmless";
}

function keyOrHarmless(name: string, together: string): Verdict {
  const isNamedSo = KEY_NAME.test(together) && !together.includes("public");
  const isKey = isNamedSo && (together.startsWith("x") || !isAbout(name, together));
  return isKey ? "key" : "harmless";
}

function isAbout(name: string, together: string): boolean {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  if (words.length === 1) return ABOUT_ENDING.test(together);
  return ABOUT.has(words.at(-1)?.toLowerCase() ?? "");
}

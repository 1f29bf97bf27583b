import type { Json, JsonObject } from "./json.ts";

/** What stands where a secret was. */
export const REDACTED = "[redacted]";

const DEEPEST = 200;

/** Member names whose whole value is a secret, whatever it looks like; words are matched within the name. */
const SECRET_NAME =
  /pass(word|wd|phrase)|pwd$|secret|token|credential|api_?key|(access|private|shared|account|master|encryption|signing|storage|admin|auth|host|function|license|primary|secondary)_?key$|private_?key|connection_?string|auth_?header|^authorization$|cookie|user_?data|custom_?data|startup_?script|kube_?config|sas_?(url|uri|policy)|client_?key$|pfx|^key_?material$/i;

/** Endings that turn such a name into one that is about a secret without holding it. */
const ABOUT_SECRET =
  /(arn|name|names|id|ids|url|uri|path|type|types|kind|version|versions|versioning|policy|length|count|enabled|disabled|ttl|duration|expiry|expiration|expires|expires_?at|date|at|age|days|min|max|required|rotation|rules|algorithm|format|usage|source|ref|refs|reference|limit|status|state|use|uses|hop_?limit|tokens|validity|stages?|permissions)$/i;

/** Secrets that show themselves by their form, wherever they stand in a text. */
const SECRET_TEXT = new RegExp(
  [
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
    String.raw`\beyJ[\w-]{8,512}\.[\w-]{8,4096}\.[\w-]*`,
    String.raw`\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|sk-[\w-]{20,}|AIza[\w-]{35}|ya29\.[\w-]{20,})`,
    String.raw`\b(?:leeway_[A-Za-z0-9]{8}_\w{38}|whsec_[\w+/=]{16,})`,
    String.raw`(?<=\b(?:AccountKey|SharedAccessKey|Password|Pwd|Client_?Secret|aws_secret_access_key)=)[^;&\s"']+`,
    String.raw`(?<=[?&](?:sig|X-Amz-Signature|access_token|token|api_?key)=)[^&\s"']+`,
    String.raw`(?<=\b(?:Bearer|Basic) )[\w+/=.~-]{8,}`,
    String.raw`(?<=:\/\/[^/\s:@]{0,64}:)[^@/\s]{1,256}(?=@)`,
  ].join("|"),
  "gi",
);

/** A cheap sign that a text may hold any of the above; most texts hold none. */
const MAYBE_SECRET =
  /-----BEGIN|AKIA|ASIA|eyJ|gh[oprsu]_|github_pat_|glpat-|xox|sk-|AIza|ya29|leeway_|whsec_|key=|password=|pwd=|secret=|sig=|Signature=|token=|Bearer |Basic |:\/\//i;

/** A value without its secrets, and where they were (JSON pointers, RFC 6901). */
export interface Redaction<T> {
  value: T;
  redactions: string[];
}

/**
 * `value` with every secret replaced: members named like one, name-value pairs whose name is like one,
 * and texts that hold one by their form. `value` itself stays as it is.
 */
export function redact<T extends Json>(value: T): Redaction<T> {
  const redactions: string[] = [];
  const cleaned = scrub(value, "", redactions, 0);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scrubbing keeps the outermost shape
  return { value: cleaned as T, redactions };
}

/** `text` with everything that has the form of a secret replaced. */
export function redactText(text: string): string {
  return MAYBE_SECRET.test(text) ? text.replaceAll(SECRET_TEXT, REDACTED) : text;
}

function scrub(value: Json, pointer: string, redactions: string[], depth: number): Json {
  if (typeof value === "string") return scrubText(value, pointer, redactions);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return hide(pointer, redactions);
  if (Array.isArray(value)) {
    return value.map((item, index) => scrub(item, `${pointer}/${index}`, redactions, depth + 1));
  }
  const cleaned: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const hidden = holdsSecret(name, inner) || isSecretPair(name, value);
    put(cleaned, name, hidden ? hide(at, redactions) : scrub(inner, at, redactions, depth + 1));
  }
  return cleaned;
}

function scrubText(value: string, pointer: string, redactions: string[]): string {
  const cleaned = redactText(value);
  if (cleaned !== value) redactions.push(pointer);
  return cleaned;
}

function hide(pointer: string, redactions: string[]): string {
  redactions.push(pointer);
  return REDACTED;
}

/** Whether a member of this name holds a secret. Switches, nothing and empty things never do. */
function holdsSecret(name: string, value: Json): boolean {
  if (value === null || typeof value === "boolean" || value === "") return false;
  if (typeof value === "object" && Object.keys(value).length === 0) return false;
  return isSecretName(name);
}

/** `{name: "DB_PASSWORD", value: "…"}`, as containers and instance metadata have it. */
function isSecretPair(name: string, { name: label, key, Name, Key }: JsonObject): boolean {
  if (!/^value$/i.test(name)) return false;
  return [label, key, Name, Key].some((about) => typeof about === "string" && isSecretName(about));
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !ABOUT_SECRET.test(name);
}

/** Sets a member as data, `__proto__` included. */
function put(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

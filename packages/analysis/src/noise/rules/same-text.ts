import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

import { PROVEN } from "../confidence.ts";
import type { LeafRule } from "../detector.ts";
import { attributeName, isKey } from "../path-pattern.ts";

const AZURE = /^(?:azurerm|azuread|azapi)_/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Azure attributes that are case-insensitive. */
const AZURE_WORDS: ReadonlySet<string> = new Set(["location", "protocol", "access", "direction"]);
const DNS_TYPE =
  /^(?:aws_route53_(?:record|zone)|google_dns_\w+|azurerm_(?:private_)?dns_\w+|cloudflare_(?:dns_)?record)$/;
/** Attributes of DNS resources that hold host names or lists of them. */
const DNS_NAMES: ReadonlySet<string> = new Set([
  "name",
  "dns_name",
  "domain",
  "fqdn",
  "hostname",
  "zone_name",
]);
const DNS_TARGETS: ReadonlySet<string> = new Set(["records", "rrdatas", "record", "value", "content"]);
const TARGET_TYPES: ReadonlySet<Json | undefined> = new Set(["CNAME", "NS", "PTR"]);
const HOST = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)+\.?$/;
const LONGEST_HOST = 255;

export const sameCase: LeafRule = {
  class: "case_change",
  judge({ path, before, after }, { change }) {
    if (typeof before !== "string" || typeof after !== "string" || isKey(path)) return undefined;
    if (before.toLowerCase() !== after.toLowerCase()) return undefined;
    const isFree = AZURE.test(change.type)
      ? isAzureWord(path, before) || isHostName(path, before, change)
      : isHostName(path, before, change);
    return isFree ? PROVEN : undefined;
  },
};

function isAzureWord(path: Path, value: string): boolean {
  const isId = /^\/(?:subscriptions|providers)\//i.test(value);
  return isId || UUID.test(value) || AZURE_WORDS.has(attributeName(path));
}

interface Holder {
  type: string;
  before: Json;
  after: Json;
}

function isHostName(path: Path, value: string, { type, before, after }: Holder): boolean {
  if (!DNS_TYPE.test(type) || value.length > LONGEST_HOST || !HOST.test(value)) return false;
  const name = attributeName(path);
  if (DNS_NAMES.has(name)) return true;
  return DNS_TARGETS.has(name) && TARGET_TYPES.has(kindOf(before)) && TARGET_TYPES.has(kindOf(after));
}

/** Returns the DNS record type of a resource; text records are case-sensitive. */
function kindOf(resource: Json): Json | undefined {
  return typeof resource === "object" && resource !== null && !Array.isArray(resource)
    ? resource["type"]
    : undefined;
}

/** Text for people and templates, in which trailing whitespace has no meaning. */
const PROSE: ReadonlySet<string> = new Set(
  `comment comments description display_name documentation message notes query summary template_body title`.split(
    /\s+/,
  ),
);
/** URLs that are called, not compared. In redirect URIs and issuers every character counts. */
const CALLED: ReadonlySet<string> = new Set([
  "base_url",
  "endpoint",
  "homepage_url",
  "home_page_url",
  "url",
  "website",
]);

export const sameButTrailing: LeafRule = {
  class: "trailing_char",
  judge({ path, before, after }, { change }) {
    if (typeof before !== "string" || typeof after !== "string" || isKey(path)) return undefined;
    const name = attributeName(path);
    const isEqual =
      (PROSE.has(name) && before.trimEnd() === after.trimEnd()) ||
      (isHostName(path, before, change) && withoutDot(before) === withoutDot(after)) ||
      (CALLED.has(name) && withoutRoot(before) === withoutRoot(after));
    return isEqual ? PROVEN : undefined;
  },
};

function withoutDot(host: string): string {
  return host.replace(/\.$/, "").toLowerCase();
}

/** Removes a root path: a URL without a path equals one with the path `/` (RFC 3986, 6.2.3). */
function withoutRoot(url: string): string {
  return url.replace(/^(https?:\/\/[^/?#]+)\/$/, "$1");
}

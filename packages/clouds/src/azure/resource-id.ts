/** Parts of an Azure Resource Manager id. */
export interface ResourceId {
  /** Id in its original spelling. */
  written: string;
  /** Id for comparisons, in lower case because Azure ignores case. */
  canonical: string;
  /** `Microsoft.Network/virtualNetworks/subnets`, in the id's spelling. */
  type: string;
  /** Name of the resource among its siblings. */
  name: string;
  /** Subscription in lower case, like the resource group. */
  subscription?: string;
  resourceGroup?: string;
}

/** Max length of an id, far above Azure's limit. */
const MAX_LENGTH = 2048;
const SUBSCRIPTIONS = "/subscriptions/";
const RESOURCE_GROUPS = "/resourcegroups/";
const PROVIDERS = "/providers/";

/** Returns the parts of `id`; undefined if it isn't a resource id. */
export function parseResourceId(id: string): ResourceId | undefined {
  if (id !== latest.id) latest = { id, parsed: parse(id) };
  return latest.parsed;
}

// Format, keys, owner and a dozen exclusions parse the same id in turn. Caching reduces a row from 13 µs to 4.5 µs.
let latest: { id: string; parsed: ResourceId | undefined } = { id: "", parsed: undefined };

function parse(written: string): ResourceId | undefined {
  if (written.length > MAX_LENGTH || written.includes("|")) return undefined;
  // Some services omit the leading slash, and some append one.
  const id = `${written.startsWith("/") ? "" : "/"}${written.endsWith("/") ? written.slice(0, -1) : written}`;
  const canonical = id.toLowerCase();
  if (!canonical.startsWith(SUBSCRIPTIONS) && !canonical.startsWith(PROVIDERS)) return undefined;
  const typed = typeAndName(id);
  return typed && { written, canonical, ...typed, ...scopeOf(canonical) };
}

/**
 * Returns type and name. Ids are pairs of segments. A pair
 * `providers/{namespace}` starts over, so the last one determines the type.
 */
function typeAndName(id: string): { type: string; name: string } | undefined {
  let type = "Microsoft.Resources";
  let name = "";
  for (let at = 0; at < id.length;) {
    const middle = id.indexOf("/", at + 1);
    const end = middle === -1 ? -1 : endOfSegment(id, middle + 1);
    if (middle === at + 1 || end <= middle + 1) return undefined;
    name = id.slice(middle + 1, end);
    const segment = id.slice(at, middle);
    type = segment.toLowerCase() === "/providers" ? name : type + segment;
    at = end;
  }
  return type.includes("/") ? { type, name } : undefined;
}

function scopeOf(canonical: string): { subscription?: string; resourceGroup?: string } {
  if (!canonical.startsWith(SUBSCRIPTIONS)) return {};
  const end = endOfSegment(canonical, SUBSCRIPTIONS.length);
  const subscription = canonical.slice(SUBSCRIPTIONS.length, end);
  if (!canonical.startsWith(RESOURCE_GROUPS, end)) return { subscription };
  const start = end + RESOURCE_GROUPS.length;
  return { subscription, resourceGroup: canonical.slice(start, endOfSegment(canonical, start)) };
}

function endOfSegment(id: string, start: number): number {
  const end = id.indexOf("/", start);
  return end === -1 ? id.length : end;
}

/** Returns the name after the segment `type` (in lower case) in a canonical id. */
export function nameAfter(canonical: string, type: string): string | undefined {
  const segments = canonical.split("/");
  for (let at = 1; at < segments.length; at += 2) if (segments[at] === type) return segments[at + 1];
  return undefined;
}

/** A full resource name, normalized from all of Google's notations. */
export interface ResourceName {
  /** Service, as asset types begin: `compute.googleapis.com`. */
  service: string;
  /** Path below the service: `projects/p/zones/z/instances/i`. */
  path: string;
}

const DOMAIN = ".googleapis.com";

/** Services with different names in types, in resource names or in two API versions. */
const SERVICES = new Map([
  ["cloudsql.googleapis.com", "sqladmin.googleapis.com"],
  ["sql.googleapis.com", "sqladmin.googleapis.com"],
  ["bigtable.googleapis.com", "bigtableadmin.googleapis.com"],
  ["identity.accesscontextmanager.googleapis.com", "accesscontextmanager.googleapis.com"],
]);

/** First segments of a path without its service, such as Terraform's ids. */
const ROOTS = new Set([
  "projects",
  "folders",
  "organizations",
  "billingAccounts",
  "accessPolicies",
  "locations",
  "apps",
  "tagKeys",
  "tagValues",
  "tagBindings",
]);

const VERSION = /^(?:v\d+(?:(?:alpha|beta)\d*)?|alpha|beta)$/;
const REGIONAL_HOST = /^[a-z]+-[a-z]+\d+-/;
const ZONE = /^[a-z]+-[a-z]+\d+-[a-z]$/;
const DIGITS = /^\d+$/;

/**
 * Parses a full resource name (`//service/…`), an API URL (`https://…`), or a path if `service` is given. Returns
 * undefined for everything else, including a bare name.
 */
export function parseName(text: string, service?: string): ResourceName | undefined {
  if (text.startsWith("//")) return fromFullName(text);
  if (text.startsWith("https://")) return fromUrl(text);
  return service !== undefined && isPath(text) ? resourceName(service, text) : undefined;
}

/** Returns the name with this path, even if its first segment is unknown. */
export function resourceName(service: string, path: string): ResourceName {
  const known = SERVICES.get(service) ?? service;
  return { service: known, path: canonicalPath(known, path) };
}

/** Returns the full resource name as text. */
export function fullName({ service, path }: ResourceName): string {
  return `//${service}/${path}`;
}

/** Reports whether `text` begins like a resource path with several segments. */
export function isPath(text: string): boolean {
  const slash = text.indexOf("/");
  return slash > 0 && slash < text.length - 1 && ROOTS.has(text.slice(0, slash));
}

/** Returns the text after the last slash, or all of it if there is none. */
export function lastSegment(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1);
}

/** Returns the id or number of the project in a path. */
export function projectOf(path: string): string | undefined {
  if (!path.startsWith("projects/") && !path.startsWith("apps/")) return undefined;
  return segment(path, 1);
}

/** Reports whether a project is identified by its number. */
export function isNumber(project: string): boolean {
  return DIGITS.test(project);
}

/** Returns the path with another project; paths outside projects stay unchanged. */
export function inProject(path: string, project: string): string {
  if (!path.startsWith("projects/")) return path;
  const end = path.indexOf("/", 9);
  return `projects/${project}${end < 0 ? "" : path.slice(end)}`;
}

/** Returns the zone, region or location in a path, in lower case; it may be "global". */
export function locationOf(path: string): string | undefined {
  if (path.startsWith("locations/")) return segment(path, 1)?.toLowerCase();
  const kind = segment(path, 2);
  if (kind === "zones" || kind === "regions" || kind === "locations") return segment(path, 3)?.toLowerCase();
  return kind === "global" ? kind : undefined;
}

/** Returns the region of a location, a zone, or their URL or path; undefined for "global". */
export function regionOf(location: string | undefined): string | undefined {
  const name = lastSegment(location ?? "").toLowerCase();
  if (name === "" || name === "global") return undefined;
  return ZONE.test(name) ? name.slice(0, -2) : name;
}

/** Returns one segment. Each listed row calls this several times, so it doesn't split the whole path. */
function segment(path: string, index: number): string | undefined {
  let start = 0;
  for (let left = index; left > 0; left -= 1) {
    const slash = path.indexOf("/", start);
    if (slash < 0) return undefined;
    start = slash + 1;
  }
  const end = path.indexOf("/", start);
  const found = end < 0 ? path.slice(start) : path.slice(start, end);
  return found === "" ? undefined : found;
}

function fromFullName(text: string): ResourceName | undefined {
  const slash = text.indexOf("/", 2);
  if (slash < 3 || slash === text.length - 1) return undefined;
  const path = text.slice(slash + 1);
  const end = path.indexOf("/");
  const versioned = end > 0 && VERSION.test(path.slice(0, end));
  return resourceName(text.slice(2, slash), versioned ? path.slice(end + 1) : path);
}

/**
 * Parses `https://compute.googleapis.com/compute/v1/projects/…`, and the old `https://www.googleapis.com/compute/v1/…`.
 */
function fromUrl(text: string): ResourceName | undefined {
  const [host = "", first = "", second = ""] = text.slice(8).split("/", 3);
  if (!host.endsWith(DOMAIN)) return undefined;
  const version = [first, second].findIndex((segment) => VERSION.test(segment));
  if (version < 0) return undefined;
  const service = host === `www${DOMAIN}` ? `${first}${DOMAIN}` : host.replace(REGIONAL_HOST, "");
  const skipped = 8 + host.length + 1 + first.length + 1 + (version === 1 ? second.length + 1 : 0);
  const path = text.slice(skipped);
  return isPath(path) || path.startsWith("b/") ? resourceName(service, path) : undefined;
}

function canonicalPath(service: string, path: string): string {
  const whole = decoded(path.endsWith("/") ? path.slice(0, -1) : path);
  return REWRITES.get(service)?.(whole) ?? whole;
}

/** Decodes a name. Names of log metrics and tag bindings contain slashes, which full names escape and states don't. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const REWRITES = new Map<string, (path: string) => string>([
  ["container.googleapis.com", oneLocation],
  ["dataproc.googleapis.com", oneLocation],
  ["run.googleapis.com", knative],
  ["storage.googleapis.com", bucket],
  ["appengine.googleapis.com", application],
]);

/** Replaces zones and regions with locations. Three API versions write a cluster's location in these ways. */
function oneLocation(path: string): string {
  const [root, project, kind, ...rest] = path.split("/");
  return root === "projects" && (kind === "zones" || kind === "regions")
    ? ["projects", project, "locations", ...rest].join("/")
    : path;
}

/** Moves the project to the front. Cloud Run's first API puts it after the location, as a namespace. */
function knative(path: string): string {
  const [root, location, namespaces, project, ...rest] = path.split("/");
  return root === "locations" && namespaces === "namespaces"
    ? ["projects", project, root, location, ...rest].join("/")
    : path;
}

function bucket(path: string): string {
  if (path.startsWith("b/")) return path.slice(2);
  return path.startsWith("projects/_/buckets/") ? path.slice(19) : path;
}

function application(path: string): string {
  const [root, , locations, , applications, ...rest] = path.split("/");
  return root === "projects" && locations === "locations" && applications === "applications"
    ? ["apps", ...rest].join("/")
    : path;
}

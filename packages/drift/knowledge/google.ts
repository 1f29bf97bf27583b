import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { GOOGLE_APIS, GOOGLE_SCHEMAS } from "./google-schemas.ts";
import type { Member, Resource } from "./schema.ts";
import { lateObject } from "./typescript-types.ts";

const INTERFACE = /^ {4}export interface Schema\$(\w+) \{\n(.*?)^ {4}\}/gms;

/** Members of every resource that no attribute sets, or that name it. */
const OWN: ReadonlySet<string> = new Set(["id", "name", "kind", "selfLink", "etag"]);

/** Schemas of one version of an API, by name. */
type Version = ReadonlyMap<string, Resource>;

/**
 * Reads the resource types of Google's APIs, as Cloud Asset Inventory names them. Several versions of an API can have
 * the same type; only those of the best stage are returned.
 * @param folder the unpacked package with the APIs' schemas
 */
export function googleTypes(folder: string): (type: string) => readonly Resource[] {
  const apis = new Map<string, readonly Version[]>();
  return (type) => {
    const [service = "", kind = ""] = type.split("/");
    const own = service.replace(/\.googleapis\.com$/, "");
    const api = GOOGLE_APIS.get(own) ?? own;
    let versions = apis.get(api);
    if (versions === undefined) apis.set(api, (versions = versionsOf(join(folder, "build/src/apis", api))));
    const wanted = (GOOGLE_SCHEMAS.get(type) ?? kind).toLowerCase();
    const found = versions.map((schemas) => schemasOf(schemas, wanted));
    return found.find((schemas) => schemas.length > 0) ?? [];
  };
}

/** Returns an API's schemas by stage, the most stable first. */
function versionsOf(folder: string): Version[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => /^(?:v\d|alpha|beta).*\.d\.ts$/.test(name));
  return [/^v\d+\./, /beta/, /alpha/].map((stage) => {
    const own = files.filter((name) => stage.test(name)).toSorted();
    return new Map(own.flatMap((name) => [...schemasIn(readFileSync(join(folder, name), "utf8"), name)]));
  });
}

/** Returns a version's schemas; the name of the version is in front. */
function schemasIn(text: string, version: string): Version {
  const schemas = new Map<string, Resource>();
  for (const [, name = "", body = ""] of text.matchAll(INTERFACE)) {
    schemas.set(
      `${version}:${name}`,
      lateObject(body, (one) => schemas.get(`${version}:${one.replace("Schema$", "")}`)),
    );
  }
  return schemas;
}

function schemasOf(schemas: Version, wanted: string): Resource[] {
  return [...schemas].flatMap(([key, resource]) => {
    const name = key.slice(key.indexOf(":") + 1).toLowerCase();
    const isWanted = name === wanted || name.replace(/^google\w*?v\d+(?:(?:alpha|beta)\d*)?/, "") === wanted;
    return isWanted ? [{ kind: "object" as const, members: () => withoutOwn(resource.members()) }] : [];
  });
}

function withoutOwn(members: ReadonlyMap<string, Member>): ReadonlyMap<string, Member> {
  return new Map([...members].filter(([name]) => !OWN.has(name)));
}

import { corpusFiles, corpusText } from "@leeway/clouds/corpus.fixture";
import { cloudOfType } from "@leeway/clouds/clouds";
import { gcp } from "@leeway/clouds/gcp/gcp";
import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { LiveToAdopt } from "./live.ts";
import { scalarText } from "./values.ts";

/** A resource as a state or plan declares it, and as the cloud shows it. */
export interface Truth {
  type: string;
  declared: JsonObject;
  live: LiveToAdopt;
}

const PROJECT = "my-project";
const PAIR = /^state ↔ live resources\t(\S+)\t(\S+)\t\d+\t([a-z\d_,]+):/gm;
const PLAN = /^plan → assets\t(\S+)\t(\S+)/gm;

function linesOf(pattern: RegExp): [string, string, string][] {
  return corpusFiles("PAIRS.tsv").flatMap((path) =>
    [...corpusText(path).matchAll(pattern)].map(
      ([, one = "", other = "", types = ""]): [string, string, string] => [one, other, types],
    ),
  );
}

/** Parses a file. Some files aren't JSON, but templates. */
function readable(path: string): Json {
  try {
    // The authors cut out projects: projects/{{.Provider.project}}/topics.
    return JSON.parse(corpusText(path).replaceAll(/\{\{.*?\}\}/g, PROJECT));
  } catch {
    return null;
  }
}

/** Returns states with live reads. Attributes that differ are real changes, and are left out. */
export function stateTruths(): Truth[] {
  return linesOf(PAIR).flatMap(([state, reads, types]) => {
    const listed = readable(reads);
    const document = readable(state);
    return members(isObject(document) ? document : undefined, "resources")
      .filter(
        (resource) => resource["mode"] !== "data" && types.split(",").includes(text(resource, "type") ?? ""),
      )
      .flatMap((resource) => members(resource, "instances").map((one) => ({ resource, one })))
      .flatMap(({ resource, one }) => {
        const declared = member(one, "attributes") ?? {};
        const same = (Array.isArray(listed) ? listed : [])
          .filter(isObject)
          .find((read) => read["id"] === declared["id"]);
        return same ? [stateTruth(text(resource, "type") ?? "", declared, same)] : [];
      });
  });
}

function stateTruth(type: string, declared: JsonObject, read: JsonObject): Truth {
  const equal = Object.entries(declared).filter(([name, value]) => Bun.deepEquals(value, read[name]));
  return {
    type,
    declared: Object.fromEntries(equal),
    live: liveAs(type, text(read, "arn") ?? text(read, "id") ?? "", Object.fromEntries(equal)),
  };
}

function liveAs(providerType: string, providerResourceId: string, properties: JsonObject): LiveToAdopt {
  const arn = providerResourceId.split(":");
  return {
    id: providerResourceId,
    cloud: cloudOfType(providerType),
    providerType,
    providerResourceId,
    region: arn[3] || undefined,
    name: text(properties, "name"),
    account: arn[4] || "123456789012",
    tags: undefined,
    properties,
    taken: undefined,
  };
}

/** Returns Google's plans with the assets that they create. */
export function planTruths(): Truth[] {
  return linesOf(PLAN).flatMap(([plan, assets]) => {
    const document = readable(plan);
    const listed = readable(assets);
    const all = Array.isArray(listed) ? listed.filter(isObject) : [];
    return members(isObject(document) ? document : undefined, "resource_changes").flatMap((resource) => {
      const type = text(resource, "type") ?? "";
      const declared = member(member(resource, "change"), "after");
      const own = all.filter((asset) =>
        gcp.catalog.byType(text(asset, "asset_type") ?? "")?.terraform.includes(type),
      );
      const [asset] = own;
      // Spanner's assets here are requests to create an instance, which no cloud answers.
      const isRequest = member(member(member(asset, "resource"), "data"), "instance") !== undefined;
      return declared && asset && own.length === 1 && !isRequest ? [planTruth(type, declared, asset)] : [];
    });
  });
}

function planTruth(type: string, declared: JsonObject, asset: JsonObject): Truth {
  const data = member(member(asset, "resource"), "data") ?? {};
  const labels = member(data, "labels");
  const live: LiveToAdopt = {
    ...liveAs(text(asset, "asset_type") ?? "", "", data),
    cloud: gcp,
    providerResourceId: text(asset, "name") ?? "",
    region: text(data, "location"),
    account: PROJECT,
    ...(labels && {
      tags: Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, scalarText(value) ?? ""])),
    }),
  };
  return { type, declared: { ...declared, project: PROJECT }, live };
}

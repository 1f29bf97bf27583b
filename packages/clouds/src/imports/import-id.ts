import { canonicalId, parseArn } from "../aws/arn.ts";
import { idSegments } from "../aws/arn-forms.ts";
import { idForms } from "../aws/identifiers.ts";
import { forms } from "../aws/types.ts";
import type { CatalogEntry } from "../catalog.ts";
import type { Cloud } from "../cloud.ts";
import { parseName } from "../gcp/resource-name.ts";
import { importFormOf } from "./import-forms.ts";

/** A live resource to import. */
export interface ImportSubject {
  cloud: Cloud;
  /** Terraform type that declares it. */
  type: string;
  providerResourceId: string;
  account: string;
  region: string | undefined;
  /** Returns the value of an attribute, if the listing shows it. */
  attribute: (name: string) => string | undefined;
}

/** Id to import a resource by, and the values of the attributes that it consists of. */
export interface ImportId {
  id: string;
  parts: ReadonlyMap<string, string>;
}

const PART = /\{(\w*)(?::(\d))?\}/g;

/** Returns the id to import a resource by; undefined if its form isn't known, or a part of it isn't. */
export function importIdOf(subject: ImportSubject): ImportId | undefined {
  const form = importFormOf(subject.type)?.form;
  if (form === undefined) return undefined;
  if (subject.cloud.provider === "aws") return awsId(form, subject);
  return subject.cloud.provider === "azure" ? azureId(form, subject) : googleId(form, subject);
}

function awsId(form: string, subject: ImportSubject): ImportId | undefined {
  const entry = subject.cloud.catalog.byTerraform(subject.type);
  if (entry === undefined) return undefined;
  const parts = awsParts(entry, subject);
  if (parts === undefined) return undefined;
  // Other partitions have other domains.
  if (form.startsWith("https:") && parts.get("arn")?.startsWith("arn:aws:") !== true) return undefined;
  const id = filled(form, (name, depth) => {
    const value = agreed(parts.get(name), subject.attribute(name));
    return depth === undefined || value?.split("/").length === depth ? value : undefined;
  });
  return id === undefined ? undefined : { id, parts };
}

/** Returns the one value that both sources give; undefined if they differ. */
function agreed(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined || one === other ? (one ?? other) : undefined;
}

/** Returns a form with its parts' values; undefined if one is unknown. */
function filled(
  form: string,
  valueOf: (name: string, depth: number | undefined) => string | undefined,
): string | undefined {
  let isComplete = true;
  const text = form.replaceAll(PART, (_, name: string, depth: string | undefined) => {
    const value = valueOf(name, depth === undefined ? undefined : Number(depth));
    isComplete &&= value !== undefined && value !== "";
    return value ?? "";
  });
  return isComplete ? text : undefined;
}

function awsParts(entry: CatalogEntry, subject: ImportSubject): Map<string, string> | undefined {
  const { account, region } = subject;
  const id = canonicalId(subject.providerResourceId);
  const arn = parseArn(id);
  const native = arn === undefined ? idForms(entry, id)[0] : forms.idOf(entry, arn);
  if (native === undefined) return undefined;
  const names = idSegments(entry);
  const values = native.split("|");
  const named = names.length === values.length ? names : [];
  return new Map([
    ["account", account],
    ...placeIn(arn?.region || region),
    ...(arn === undefined ? [] : [["arn", id] as const]),
    ...named.map((name, index) => [name, values[index] ?? ""] as const),
  ]);
}

function placeIn(region: string | undefined): (readonly [string, string])[] {
  return region === undefined ? [] : [["region", region]];
}

function azureId(form: string, { providerResourceId }: ImportSubject): ImportId | undefined {
  const written = form.split("/");
  const steps = providerResourceId.split("/");
  const isSame =
    written.length === steps.length &&
    written.every((one, index) => one === "{}" || one.toLowerCase() === steps[index]?.toLowerCase());
  if (!isSame || steps.slice(1).includes("")) return undefined;
  const id = written.map((one, index) => (one === "{}" ? steps[index] : one)).join("/");
  const group = written.indexOf("resourceGroups");
  const parts = new Map([["name", steps.at(-1) ?? ""]]);
  if (group > 0 && group + 2 < steps.length) parts.set("resource_group_name", steps[group + 1] ?? "");
  return { id, parts };
}

function googleId(form: string, subject: ImportSubject): ImportId | undefined {
  const { cloud, type, providerResourceId } = subject;
  const service = cloud.catalog.byTerraform(type)?.type.split("/", 1)[0];
  const path = parseName(providerResourceId, service)?.path ?? providerResourceId;
  const names = [...form.matchAll(PART)].map(([, name = ""]) => name);
  const found = patternOf(form).exec(path);
  if (found === null) return namedId(form, path, names, subject);
  const parts = new Map(names.map((name, index) => [name, partOf(subject, name, found[index + 1] ?? "")]));
  const id = filled(form, (name) => parts.get(name));
  // A service account's id has its address, which not every listing shows.
  if (id === undefined || parts.get("email")?.includes("@") === false) return undefined;
  return { id, parts };
}

/** Returns an id that is only a name, such as a bucket's, without the path around it. */
function namedId(
  form: string,
  path: string,
  [part = "", another]: readonly string[],
  { attribute }: ImportSubject,
): ImportId | undefined {
  const name = path.split("/").at(-1) ?? "";
  const isName = another === undefined && !form.includes("/") && attribute(part) === name;
  return isName ? { id: name, parts: new Map([[part, name]]) } : undefined;
}

function patternOf(form: string): RegExp {
  // A parent at the start is a path itself: {key_ring}/cryptoKeys/{name}.
  const first = /^\{\w+\}\/\w+\//.test(form) ? "(.+)" : "([^/]+)";
  const steps = form.split(/(\{\w+\})/).map((one, index) => {
    if (one.startsWith("{")) return index === 1 ? first : "([^/]+)";
    return one.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${steps.join("")}$`);
}

/** Returns a part of a path. Listings may have a number where Terraform has a project's id or an account's address. */
function partOf({ account, attribute }: ImportSubject, name: string, value: string): string {
  if (!/^\d+$/.test(value)) return value;
  if (name === "project" || name === "project_id") return account;
  const other = attribute(name);
  return other === undefined || other.includes("/") ? value : other;
}

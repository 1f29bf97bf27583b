import { openCatalog, type Catalog, type CatalogEntry } from "@leeway/clouds/catalog";
import { arnForms, idSegments } from "@leeway/clouds/aws/arn-forms";
import { parseArn } from "@leeway/clouds/aws/arn";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { snakeCase } from "../src/names.ts";
import type { Cloud } from "./tables.ts";

/** Documentation of a type's import. */
interface ImportDocument {
  cloudTypes: readonly string[];
  text: string;
  examples: readonly string[];
}

const CATALOGS = join(import.meta.dir, "../../clouds/src");
const aws = catalogOf("aws");
const azure = catalogOf("azure");
const google = catalogOf("gcp");
const forms = arnForms(() => aws.entries);

function catalogOf(cloud: Cloud): Catalog {
  return openCatalog(readFileSync(join(CATALOGS, cloud, "catalog.tsv"), "utf8"));
}

/**
 * Returns the form of a type's import id, with `{…}` for its parts; undefined unless the documentation gives it with
 * certainty.
 */
export function importFormOf(cloud: Cloud, document: ImportDocument): string | undefined {
  return { aws: awsForm, azure: azureForm, gcp: googleForm }[cloud](document);
}

/** Returns the forms that are written by hand, by type. */
export function knownForms(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(import.meta.dir, "imports.exceptions.tsv"), "utf8")
    .trim()
    .split("\n")
    .slice(2);
  return new Map(
    lines.map((line) => {
      const [type = "", form = ""] = line.split("\t");
      return [type, form];
    }),
  );
}

const ACCOUNT = /^(?:\d{12}|xxxxxxxxxxxx)$/;

function awsForm({ cloudTypes, text, examples }: ImportDocument): string | undefined {
  const entry = listedEntry(aws, cloudTypes);
  const [example = ""] = examples;
  if (entry === undefined || examples.length !== 1 || ACCOUNT.test(example)) return undefined;
  const arn = parseArn(example);
  if (arn !== undefined) return forms.idOf(entry, arn) === undefined ? undefined : "{arn}";
  return example === "" || example.includes("arn:") ? undefined : namedForm(entry, text, example);
}

function namedForm(entry: CatalogEntry, text: string, example: string): string | undefined {
  const names = namesIn(text);
  return names.length === 1 ? single(entry, names[0] ?? "", example) : several(names, text, example);
}

function listedEntry(catalog: Catalog, cloudTypes: readonly string[]): CatalogEntry | undefined {
  return cloudTypes.map((one) => catalog.byType(one)).find((one) => one?.listed === true);
}

/** Returns the documented attributes, in the sentence's order. */
function namesIn(text: string): string[] {
  const required = /#### Required\n([^]*?)(?:\n####|\n[A-Z*])/.exec(text)?.[1] ?? "";
  const identity = [...required.matchAll(/\* `(\w+)`/g)].map(([, name = ""]) => snakeCase(name));
  const sentence =
    /\busing (?!`pulumi import`)([^\n]*?)(?:For example|$)/im.exec(
      text.slice(text.lastIndexOf("import`")),
    )?.[1] ?? "";
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = ""]) => snakeCase(name));
  if (identity.length === 0) return named;
  const isSame = named.length === identity.length && named.every((name) => identity.includes(name));
  return isSame ? named : identity.length === 1 ? identity : [];
}

/** Returns the form of an id with one part, if the catalog knows the part. */
function single(entry: CatalogEntry, name: string, example: string): string | undefined {
  if (/[\s,|<>]/.test(example)) return undefined;
  const segments = idSegments(entry);
  const [only = ""] = segments;
  if (segments.length !== 1) return undefined;
  if (name === only || (name === entry.name && only === "name") || entry.ids.includes(name))
    return `{${name}}`;
  return only === "id" && name.endsWith("_id") ? "{id}" : undefined;
}

/** Returns the form of an id with several parts, if the documentation names their separator. */
function several(names: readonly string[], text: string, example: string): string | undefined {
  const separators = [...text.matchAll(/\(`([/:|,_-])`\)/g)].map(([, one = ""]) => one);
  const [separator] = separators;
  if (names.length < 2 || separator === undefined || new Set(separators).size !== 1) return undefined;
  return example.split(separator).length === names.length
    ? names.map((name) => `{${name}}`).join(separator)
    : undefined;
}

const SUBSCRIPTION = /^\/subscriptions\/[\w-]{36}\//i;

function azureForm({ cloudTypes, examples }: ImportDocument): string | undefined {
  const [example = ""] = examples;
  if (examples.length !== 1 || !SUBSCRIPTION.test(example) || /[|\s]/.test(example)) return undefined;
  const steps = example.slice(1).split("/");
  if (steps.length % 2 !== 0) return undefined;
  const written = steps.map((step, index) =>
    index % 2 === 0 || steps[index - 1] === "providers" ? step : "{}",
  );
  const form = `/${written.join("/")}`;
  const own = cloudTypes.find((one) => typeIn(form).toLowerCase() === one.toLowerCase());
  return own !== undefined && azure.byType(own)?.listed === true ? form : undefined;
}

/** Returns the type that an Azure id is for. */
function typeIn(form: string): string {
  const [, provider = "", ...rest] = /.*\/providers\/([^/]+)\/(.+)/.exec(form) ?? [];
  if (provider === "") return form.includes("/resourceGroups/") ? "Microsoft.Resources/resourceGroups" : "";
  return [provider, ...(rest[0] ?? "").split("/").filter((_, index) => index % 2 === 0)].join("/");
}

function googleForm({ cloudTypes, examples }: ImportDocument): string | undefined {
  const entry = listedEntry(google, cloudTypes);
  const [example = ""] = examples;
  if (
    entry === undefined ||
    entry.type.endsWith("IamPolicy") ||
    !/\{\{\w+\}\}/.test(example) ||
    /\s/.test(example)
  )
    return undefined;
  return example.replaceAll(/\{\{(\w+)\}\}/g, "{$1}");
}

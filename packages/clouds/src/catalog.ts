import { NORMALIZED_TYPES, type NormalizedType } from "@leeway/shared/contracts/inventory/normalized-types";
import { once } from "@leeway/shared/values/once";

import { LOSSES, type Loss } from "./loss.ts";

/** Catalog entry of one type of a cloud. */
export interface CatalogEntry {
  /** The cloud's own type, spelled as in its documentation. */
  type: string;
  normalized: NormalizedType;
  /** Terraform types that declare it. The first is canonical: the keys of all of them contain it. */
  terraform: readonly string[];
  /** Pattern of identifiers: an ARN (`ec2:instance/{id}`) or a resource path (`projects/{project}/topics/{name}`). */
  path?: string;
  /** State attributes, besides `id`, that identify a resource within its type. */
  ids: readonly string[];
  /** State attribute with its natural name. */
  name?: string;
  /** Worst loss that its deletion causes, which determines the severity. */
  loss: Loss;
  /** All losses that its deletion causes, worst first: a cache holds data and serves requests. */
  losses: readonly Loss[];
  /** Terraform types whose destruction deletes nothing: the provider only forgets the resource, or it's a mere link. */
  harmless: readonly string[];
  /** Whether the cloud lists it as a resource. A type that is only shown inside another is never missing on its own. */
  listed: boolean;
}

/** Types of one cloud, indexed by the cloud's own type (case-insensitively) and by Terraform type. */
export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  byType(type: string): CatalogEntry | undefined;
  byTerraform(terraformType: string): CatalogEntry | undefined;
}

const COLUMNS = "type\tnormalized\tterraform\tpath\tids\tname\tlosses\tlisted";

/**
 * Opens a catalog table: tab-separated, with the columns above on the first line, commas in lists, and `-` for
 * nothing. Among losses, `!type` is a harmless Terraform type. Lines that start with `#` are comments. It is parsed
 * when first asked, because a thread that reads one cloud's listing needs no other's.
 * @throws {Error} when asked, with the invalid line; an invalid table is a bug, not bad input
 */
export function openCatalog(table: string): Catalog {
  const entries = once(() => parseEntries(table));
  return {
    get entries() {
      return entries();
    },
    byType: finder(
      entries,
      (entry) => [entry.type.toLowerCase()],
      (type) => type.toLowerCase(),
    ),
    byTerraform: finder(
      entries,
      (entry) => entry.terraform,
      (type) => type,
    ),
  };
}

function parseEntries(table: string): CatalogEntry[] {
  const [header, ...lines] = table.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (header !== COLUMNS) throw new Error(`a catalog must start with the line ${COLUMNS}`);
  return lines.map(parseEntry);
}

function parseEntry(line: string): CatalogEntry {
  const [type = "-", normalized, terraform, path, ids, name, losses, listed, ...rest] = line.split("\t");
  const { harmless = [], lost = [] } = Object.groupBy(list(losses), (one) =>
    one.startsWith("!") ? "harmless" : "lost",
  );
  const [loss, ...others] = lost.map((one) => oneOf(LOSSES, one, line));
  if (rest.length > 0 || type === "-" || loss === undefined) throw new Error(`invalid catalog line: ${line}`);
  const entry = {
    type,
    normalized: oneOf(NORMALIZED_TYPES, normalized, line),
    terraform: list(terraform),
    ids: list(ids),
    loss,
    losses: [loss, ...others],
    harmless: harmless.map((one) => one.slice(1)),
    listed: oneOf(["yes", "no"] as const, listed, line) === "yes",
  };
  return { ...entry, ...(given(path) && { path }), ...(given(name) && { name }) };
}

function given(field: string | undefined): field is string {
  return field !== undefined && field !== "" && field !== "-";
}

function list(field: string | undefined): string[] {
  return given(field) ? field.split(",") : [];
}

function oneOf<T extends string>(allowed: readonly T[], field: string | undefined, line: string): T {
  const found = allowed.find((value) => value === field);
  if (found === undefined)
    throw new Error(`invalid catalog line: ${field} must be one of ${allowed.join(", ")}: ${line}`);
  return found;
}

function finder(
  entries: () => readonly CatalogEntry[],
  keysOf: (entry: CatalogEntry) => readonly string[],
  fold: (key: string) => string,
): (key: string) => CatalogEntry | undefined {
  const index = once(() => {
    const found = new Map<string, CatalogEntry>();
    for (const entry of entries()) {
      for (const key of keysOf(entry)) if (!found.has(key)) found.set(key, entry);
    }
    return found;
  });
  return (key) => index().get(fold(key));
}

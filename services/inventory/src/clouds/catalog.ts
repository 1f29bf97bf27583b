import { NORMALIZED_TYPES, type NormalizedType } from "@leeway/shared/contracts/inventory/resources";

const LOSSES = ["stateful", "key_material", "container", "serving", "other"] as const;

/** What is lost with the resource, which decides how bad its disappearance is. */
type Loss = (typeof LOSSES)[number];

/** What the catalog knows of one type of a cloud. */
export interface CatalogEntry {
  /** The cloud's own type, in the spelling of its documentation. */
  type: string;
  normalized: NormalizedType;
  /** Terraform types that declare it; the first is canonical: keys of all of them are written with it. */
  terraform: readonly string[];
  /** Where identifiers stand: an ARN pattern (`ec2:instance/{id}`) or a resource path (`projects/{project}/topics/{name}`). */
  path?: string;
  /** State attributes, besides `id`, whose value identifies it among its type. */
  ids: readonly string[];
  /** The state attribute with its natural name. */
  name?: string;
  loss: Loss;
  /** Whether the cloud lists it in its own right; what it shows only inside another is never missing by itself. */
  listed: boolean;
}

/** The types of one cloud, found by the cloud's own type (case aside) or by a Terraform type. */
export interface Catalog {
  entries: readonly CatalogEntry[];
  byType(type: string): CatalogEntry | undefined;
  byTerraform(terraformType: string): CatalogEntry | undefined;
}

const COLUMNS = "type\tnormalized\tterraform\tpath\tids\tname\tloss\tlisted";

/**
 * Reads a catalog table: tab-separated, the columns above on the first line, lists separated by commas,
 * `-` for nothing. Lines that start with `#` are comments.
 * @throws {Error} naming the line that is wrong; a wrong table is a bug, not an input.
 */
export function parseCatalog(table: string): Catalog {
  const [header, ...lines] = table.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (header !== COLUMNS) throw new Error(`a catalog starts with the line ${COLUMNS}`);
  const entries = lines.map(parseEntry);
  return {
    entries,
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

function parseEntry(line: string): CatalogEntry {
  const [type = "-", normalized, terraform, path, ids, name, loss, listed, ...rest] = line.split("\t");
  const entry = {
    type,
    normalized: oneOf(NORMALIZED_TYPES, normalized, line),
    terraform: list(terraform),
    ids: list(ids),
    loss: oneOf(LOSSES, loss, line),
    listed: oneOf(["yes", "no"] as const, listed, line) === "yes",
  };
  if (rest.length > 0 || type === "-") throw new Error(`catalog line is wrong: ${line}`);
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
    throw new Error(`catalog line has ${field} where one of ${allowed.join(", ")} belongs: ${line}`);
  return found;
}

function finder(
  entries: readonly CatalogEntry[],
  keysOf: (entry: CatalogEntry) => readonly string[],
  fold: (key: string) => string,
): (key: string) => CatalogEntry | undefined {
  const index = new Map<string, CatalogEntry>();
  for (const entry of entries) {
    for (const key of keysOf(entry)) if (!index.has(key)) index.set(key, entry);
  }
  return (key) => index.get(fold(key));
}

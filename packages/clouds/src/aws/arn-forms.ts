import { once, oncePer } from "@leeway/shared/values/once";

import type { CatalogEntry } from "../catalog.ts";
import type { Arn } from "./arn.ts";

/** Catalog entry and native id of an ARN. */
interface Recognized {
  entry: CatalogEntry;
  /** Native id: the identifying segments joined by `|`; empty if the form has none. */
  id: string;
}

interface Form {
  entry: CatalogEntry;
  service: string;
  /** `service:` and the literal at the start of the resource part, up to its first separator. */
  head: string;
  pattern: RegExp;
}

/** ARN forms in the catalog's `path` column. */
export interface ArnForms {
  /** Returns the entry and native id of an ARN, using the first row whose form matches. */
  recognize(arn: Arn): Recognized | undefined;
  /** Returns the native id if `arn` has a form of `entry`'s own ARNs; undefined if it names something else. */
  idOf(entry: CatalogEntry, arn: Arn): string | undefined;
  /**
   * Returns an ARN's service and resource from a native id, with `*` for
   * segments outside the id; undefined if the id isn't sufficient.
   */
  write(entry: CatalogEntry, id: string): Pick<Arn, "service" | "resource"> | undefined;
}

/** Compiles the `path` of entries. */
export function arnForms(entries: () => readonly CatalogEntry[]): ArnForms {
  const byHead = once(() => Map.groupBy(entries().flatMap(formsOf), ({ head }) => head));
  return {
    recognize(arn) {
      const own = byHead().get(headOf(arn.service, arn.resource)) ?? [];
      return firstMatch(own, arn) ?? firstMatch(byHead().get(`${arn.service}:`) ?? [], arn);
    },
    idOf: (entry, arn) => firstMatch(formsOf(entry), arn)?.id,
    write: (entry, id) =>
      paths(entry)
        .map((path) => filled(path, id))
        .find((written) => written !== undefined && firstMatch(formsOf(entry), written)?.id === id),
  };
}

const formsOf = oncePer((entry: CatalogEntry) => paths(entry).map((path) => form(entry, path)));

function filled(path: string, id: string): Pick<Arn, "service" | "resource"> | undefined {
  const segments = id.split("|").values();
  const resource = resourceIn(path).replaceAll(PLACEHOLDER, (placeholder) =>
    placeholder === "{_}" ? "*" : (segments.next().value ?? ""),
  );
  return segments.next().done ? { service: serviceIn(path), resource } : undefined;
}

/** Returns the attributes, in order, whose values form the entry's native id. */
export const idSegments = oncePer((entry: CatalogEntry): readonly string[] => {
  const names = [...(paths(entry)[0] ?? "").matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "_" && name !== "path");
});

const PLACEHOLDER = /\{([a-z0-9_]+)\+?\}/g;

function paths(entry: CatalogEntry): string[] {
  return entry.path?.split(",") ?? [];
}

function form(entry: CatalogEntry, path: string): Form {
  const [service, resource] = [serviceIn(path), resourceIn(path)];
  const source = resource
    .split(/(\{[a-z0-9_]+\+?\})/)
    .map((part) =>
      part.startsWith("{") ? segment(part) : part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`),
    )
    .join("");
  return { entry, service, head: headOf(service, resource), pattern: new RegExp(`^${source}$`) };
}

function serviceIn(path: string): string {
  return path.slice(0, path.indexOf(":"));
}

function resourceIn(path: string): string {
  return path.slice(path.indexOf(":") + 1);
}

function segment(placeholder: string): string {
  if (placeholder === "{_}") return "[^/:]+";
  if (placeholder === "{path}") return "/(?:[^:]*/)?";
  return placeholder.endsWith("+}") ? "(.+)" : "([^/:]+)";
}

function headOf(service: string, resource: string): string {
  return `${service}:${/^\/?[^/:{]*(?=[/:{])/.exec(resource)?.[0] ?? ""}`;
}

function firstMatch(
  forms: readonly Form[],
  { service, resource }: Pick<Arn, "service" | "resource">,
): Recognized | undefined {
  for (const form of forms) {
    const match = form.service === service ? form.pattern.exec(resource) : null;
    if (match !== null) return { entry: form.entry, id: match.slice(1).join("|") };
  }
  return undefined;
}

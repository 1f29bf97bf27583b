import { importableTypes } from "../../packages/clouds/src/imports/import-forms.ts";
import { offeredTypes } from "../../packages/drift/src/adopt/offered-types.ts";

export const ADOPTION_FILE = `${import.meta.dir}/../../docs/adopt.md`;

const BEGIN = "<!-- figures: written by bun run docs -->";
const END = "<!-- /figures -->";
const NAMES: Readonly<Record<string, string>> = { aws: "AWS", azurerm: "Azure", google: "Google Cloud" };

/** Returns the page with the types that can be adopted. */
export function withOfferedTypes(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`docs/adopt.md needs ${BEGIN} and ${END}`);
  return `${head}${BEGIN}\n\n${figures()}\n\n${END}${tail}`;
}

function figures(): string {
  const offered = Map.groupBy(offeredTypes(), prefixOf);
  const known = Map.groupBy(importableTypes(), prefixOf);
  const rows = Object.entries(NAMES).map(([prefix, name]) =>
    [name, ...[known, offered].map((types) => String(types.get(prefix)?.length ?? 0))].join(" | "),
  );
  const lists = Object.entries(NAMES).map(([prefix, name]) => {
    const groups = Map.groupBy(offered.get(prefix) ?? [], (type) => type.split("_", 2).join("_"));
    const lines = [...groups]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([group, types]) => `| \`${group}\` | ${membersOf(group, types)} |`);
    return `### ${name}\n\n| Types that begin with | |\n|---|---|\n${lines.join("\n")}`;
  });
  return [
    "| Cloud | Types with a known import id | Offered |\n|---|---:|---:|",
    ...rows.map((row) => `| ${row} |`),
  ]
    .join("\n")
    .concat("\n\n", lists.join("\n\n"));
}

function membersOf(group: string, types: readonly string[]): string {
  const names = types.map((type) => type.slice(group.length + 1) || group.slice(group.indexOf("_") + 1));
  return names
    .toSorted()
    .map((name) => `\`${name}\``)
    .join(" ");
}

function prefixOf(type: string): string {
  return type.split("_", 1)[0] ?? "";
}

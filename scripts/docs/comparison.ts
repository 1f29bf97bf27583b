import { comparisonOf, knownTypes, shareOf } from "../../packages/drift/src/gaps/comparison.ts";
import { cloudOfType } from "../../packages/clouds/src/clouds.ts";
import { GAP_REASONS, type Comparison } from "../../packages/shared/src/contracts/inventory/types.ts";
import { MOST_USED_TYPES } from "./most-used-types.ts";

export const COMPARISON_FILE = `${import.meta.dir}/../../docs/comparison.md`;

const BEGIN = "<!-- figures: written by bun run docs -->";
const END = "<!-- /figures -->";
const CLOUDS = [
  ["aws", "AWS"],
  ["azure", "Azure"],
  ["gcp", "Google Cloud"],
] as const;

/** Returns the page with the figures generated from the knowledge. */
export function withFigures(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined)
    throw new Error(`docs/comparison.md needs ${BEGIN} and ${END}`);
  return `${head}${BEGIN}\n\n${figures()}\n\n${END}${tail}`;
}

function figures(): string {
  const groups = Map.groupBy(knownTypes(), (type) => cloudOfType(type).provider);
  return [
    "## By cloud",
    tableOf(
      ["Cloud", "Types", "Settable", "Compared", "Share", ...GAP_REASONS.map((reason) => `\`${reason}\``)],
      CLOUDS.map(([provider, name]) => [name, ...cloudRow(groups.get(provider) ?? [])]),
    ),
    "## The most used types",
    ...CLOUDS.flatMap(([provider, name]) => [
      `### ${name}`,
      tableOf(["Type", "Settable", "Compared", "Share"], (MOST_USED_TYPES[provider] ?? []).flatMap(typeRow)),
    ]),
  ].join("\n\n");
}

function cloudRow(types: readonly string[]): (string | number)[] {
  const found = types.flatMap((type) => comparisonOf(type) ?? []);
  const settable = sum(found, (one) => one.settable);
  const compared = sum(found, (one) => one.compared);
  const reasons = GAP_REASONS.map((reason) =>
    sum(
      found.flatMap((one) => one.not_compared),
      (gap) => (gap.reason === reason ? (gap.count ?? 1) : 0),
    ),
  );
  return [types.length, settable, compared, percent({ settable, compared }), ...reasons];
}

function typeRow(type: string): (string | number)[][] {
  const found = comparisonOf(type);
  return found ? [[`\`${type}\``, found.settable, found.compared, percent(found)]] : [];
}

function percent(of: Pick<Comparison, "settable" | "compared">): string {
  return `${shareOf(of)} %`;
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell)),
  );
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

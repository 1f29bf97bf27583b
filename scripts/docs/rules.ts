import { isDeepStrictEqual } from "node:util";

import { analyzePlan } from "../../packages/analysis/src/analyze.ts";
import type { Rule, RuleExample } from "../../packages/analysis/src/risk/rule.ts";
import { RULES } from "../../packages/analysis/src/risk/rules/all.ts";
import type { JsonObject } from "../../packages/shared/src/values/json.ts";
import { maskPlan } from "../../packages/analysis/src/plan/mask-plan.ts";

export const RULES_FILE = `${import.meta.dir}/../../docs/rules.md`;

const BEGIN = "<!-- rules: written by bun run docs -->";
const END = "<!-- /rules -->";

/** Returns the page with a list of rules generated from the code. */
export function withRules(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`docs/rules.md needs ${BEGIN} and ${END}`);
  return `${head}${BEGIN}\n\n${sections()}\n\n${END}${tail}`;
}

function sections(): string {
  return RULES.toSorted((one, other) => one.id.localeCompare(other.id))
    .map(section)
    .join("\n\n");
}

function section(rule: Rule): string {
  const { id, title, why, check, cases, example } = rule;
  return [
    `### ${id}: ${title}`,
    `**Why it matters.** ${why} **Before you apply.** ${check}`,
    ...(example === undefined ? [] : [exampleOf(id, example)]),
    [
      "| Case | Flag | `standard` | `lenient` | Can be noise |",
      "|---|---|---|---|---|",
      ...Object.values(cases).map(
        ({ flag, when, lenient, standard, neverHidden }) =>
          `| ${upperFirst(when)} | \`${flag}\` | ${standard} | ${lenient} | ${neverHidden ? "never" : "yes"} |`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

function exampleOf(rule: string, example: RuleExample): string {
  const { address, actions, before = null, after = null, replacePaths = [] } = example;
  const change = {
    actions: [...actions],
    before,
    after,
    replace_paths: replacePaths.map((path) => [...path]),
  };
  const type = address.split(".", 1).join("");
  const resource = { address, mode: "managed", type, name: "x", change };
  const plan = maskPlan({ format_version: "1.2", resource_changes: [resource] });
  const finding = analyzePlan(plan, { profile: "standard" }).findings.find((one) => one.rule === rule);
  if (finding === undefined) throw new Error(`the example of ${rule} doesn't show it`);
  return [
    "```diff",
    `${SYMBOLS[actions.join()] ?? "  "} ${address}`,
    ...attributeLines(example),
    "```",
    "",
    `**${finding.risk_level}**: ${finding.message}`,
  ].join("\n");
}

const SYMBOLS: Readonly<Record<string, string>> = {
  create: "+ ",
  delete: "- ",
  update: "  ~",
  forget: "  .",
  "delete,create": "-/+",
  "create,delete": "+/-",
};

function attributeLines({ before = {}, after = {} }: RuleExample): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    if (isDeepStrictEqual(before[name], after[name])) return [];
    const [was, is] = [before, after].map((side) => valueText(side, name));
    return [
      ...(was === undefined ? [] : [`-     ${name} = ${was}`]),
      ...(is === undefined ? [] : [`+     ${name} = ${is}`]),
    ];
  });
}

function valueText(side: JsonObject, name: string): string | undefined {
  if (side[name] === undefined) return undefined;
  return name === "password" ? "(sensitive)" : JSON.stringify(side[name]);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

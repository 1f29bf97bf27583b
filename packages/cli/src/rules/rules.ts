import { Rule, type RuleContent } from "@leeway/shared/contracts/inventory/rules";
import { counted } from "@leeway/shared/values/counted";

import { answerAs } from "../api/answer-as.ts";
import { path, type Api } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { jsonBody } from "../api/json-body.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { HELP, readArguments, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { readRulesFile } from "./rules-file.ts";
import { changeBody, planRules, type RulesPlan } from "./rules-plan.ts";

const API_FLAGS = apiFlags(120);

export const RULES_CHECK: Syntax = {
  command: "rules check",
  operands: ["FILE"],
  about: "Checks a YAML file of rules without a server: form, names, types and cost of conditions.",
  flags: {},
  switches: {},
  exits: Object.values(EXITS),
};

export const RULES_PLAN: Syntax = {
  command: "rules plan",
  operands: ["FILE"],
  about: "Shows what `leeway rules apply` would change in the organization's rules.",
  flags: API_FLAGS,
  switches: API_SWITCHES,
  exits: Object.values(EXITS),
};

export const RULES_APPLY: Syntax = {
  command: "rules apply",
  operands: ["FILE"],
  about: "Makes the organization's rules equal to a YAML file, by name. Shows the changes first.",
  flags: API_FLAGS,
  switches: { "--prune": "delete rules that the file lacks", ...API_SWITCHES },
  exits: Object.values(EXITS),
};

/** Runs `leeway rules check`. */
export async function rulesCheck(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(RULES_CHECK, args);
  if (given.isOn(HELP)) return terminal.print(help(RULES_CHECK));
  const [file = ""] = given.operands;
  const rules = await readRulesFile(file);
  terminal.print(`${file}: ${counted(rules.length, "rule")}, no problems\n`);
}

/** Runs `leeway rules plan`. */
export async function rulesPlan(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(RULES_PLAN, args);
  if (given.isOn(HELP)) return terminal.print(help(RULES_PLAN));
  const rules = await readRulesFile(given.operands[0] ?? "");
  const api = await openApi(API_FLAGS, given, terminal);
  terminal.print(planText(planRules(rules, await presentRules(api)), { prune: true }));
}

/** Runs `leeway rules apply`. */
export async function rulesApply(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(RULES_APPLY, args);
  if (given.isOn(HELP)) return terminal.print(help(RULES_APPLY));
  const rules = await readRulesFile(given.operands[0] ?? "");
  const api = await openApi(API_FLAGS, given, terminal);
  const prune = given.isOn("--prune");
  const plan = planRules(rules, await presentRules(api));
  terminal.print(planText(plan, { prune }));
  await apply(api, plan, { prune });
}

async function presentRules(api: Api): Promise<Rule[]> {
  const { body } = expectOk(
    await api.ask({ method: "GET", path: path`orgs/${api.orgId}/rules` }),
    "the list of rules",
  );
  const rows = Array.isArray(body["data"]) ? body["data"] : [];
  return rows.map((row) => answerAs(Rule, row));
}

/** Applies a plan. Deletions come first, so that their number counts no longer. */
async function apply(api: Api, plan: RulesPlan, { prune }: { prune: boolean }): Promise<void> {
  const rules = path`orgs/${api.orgId}/rules`;
  for (const { id, name } of prune ? plan.extra : []) {
    const answer = await api.ask({ method: "DELETE", path: `${rules}/${path`${id}`}` });
    // A repeated deletion, or somebody else's.
    if (answer.status !== 404) expectOk(answer, `the deletion of rule "${name}"`);
  }
  for (const { id, name, rule } of plan.change) {
    const call = { method: "PATCH" as const, path: `${rules}/${path`${id}`}`, ...jsonBody(changeBody(rule)) };
    expectOk(await api.ask(call), `the change of rule "${name}"`);
  }
  for (const rule of plan.create) {
    const call = { method: "POST" as const, path: rules, ...jsonBody(rule) };
    expectOk(await api.ask(call), `rule "${rule.name}"`);
  }
}

function planText({ create, change, extra, unchanged }: RulesPlan, { prune }: { prune: boolean }): string {
  const lines = [
    ...create.map((rule) => `+ ${plain(rule.name)}: ${effectText(rule)}`),
    ...change.map(({ name, members }) => `~ ${plain(name)}: ${members.join(", ")}`),
    ...extra.map(({ name }) =>
      prune ? `- ${plain(name)}` : `  ${plain(name)}: not in the file; --prune deletes it`,
    ),
    [
      `${create.length} to create`,
      `${change.length} to change`,
      `${prune ? extra.length : 0} to delete`,
      `${unchanged} unchanged`,
    ].join(", "),
  ];
  return `${lines.join("\n")}\n`;
}

function effectText({ on, then: effect }: RuleContent): string {
  const what = on.join(", ");
  if ("ignore" in effect) return `ignore ${what}`;
  return "label" in effect ? `label ${what} ${effect.label}` : `raise ${what} to ${effect.raise_to}`;
}

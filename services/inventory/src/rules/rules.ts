import { readingSize } from "@leeway/rules/condition";
import { thenProblem, type RuleProblem } from "@leeway/rules/rule-problem";
import type { Input } from "@leeway/shared/contracts/contract";
import {
  MAX_RULES,
  type CreateRule,
  type DeleteRule,
  type Rule,
  type RuleContent,
  type UpdateRule,
} from "@leeway/shared/contracts/inventory/rules";
import { isUuid } from "@leeway/shared/contracts/contract";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { namesOf } from "@leeway/shared/service/audit/write-audit";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { driftReaders } from "../readers.ts";
import { markAllDue } from "./store/due-rules.ts";
import {
  deleteRule,
  endRules,
  insertRule,
  isNameTaken,
  listRules,
  lockRules,
  updateRule,
  type StoredRule,
} from "./store/rules.ts";

/**
 * Creates a rule. If the id exists already, returns that rule.
 * @throws {AppError} `invalid_parameter`; `conflict` for a name in use or too many rules
 */
export async function addRule(
  database: Database,
  { org_id, rule_id: id = Bun.randomUUIDv7(), created_by, ...content }: Input<typeof CreateRule>,
): Promise<Rule> {
  const rule = { ...content, enabled: content.enabled ?? true, expires_at: content.expires_at };
  await checkRule(org_id, rule);
  checkEnd(rule.expires_at);
  await database.transaction(org_id, async (tx) => {
    const count = await lockRules(tx);
    const [known] = await listRules(tx, id);
    if (known) return;
    if (count >= MAX_RULES)
      throw new AppError("conflict", `the organization already has ${MAX_RULES} rules; delete one first`);
    await refuseTakenName(tx, rule.name, id);
    await insertRule(tx, { id, createdBy: created_by }, rule);
    await audit(tx, { action: "rule.create", targetId: id, details: auditedFacts(rule) });
    await markAllDue(tx);
  });
  return findRule(database, org_id, id);
}

/** @throws {AppError} `not_found` */
async function findRule(database: Database, orgId: string, id: string): Promise<Rule> {
  const [rule] = isUuid(id) ? await listRules(database.org(orgId), id) : [];
  if (!rule) throw noRule();
  return rule;
}

/** @throws {AppError} `not_found`, `empty_update`, `invalid_parameter`; `conflict` for a name in use */
export async function changeRule(
  database: Database,
  { org_id, rule_id: id, ...changes }: Input<typeof UpdateRule>,
): Promise<Rule> {
  checkEnd(changes.expires_at);
  if (changes.when !== undefined) await checkCondition(org_id, changes.when);
  await database.transaction(org_id, async (tx) => {
    await lockRules(tx);
    const [known] = isUuid(id) ? await listRules(tx, id) : [];
    if (!known) throw noRule();
    const rule = changed(known, changes);
    refuse(thenProblem(rule));
    await refuseTakenName(tx, rule.name, id);
    await updateRule(tx, id, rule);
    const details = { ...auditedFacts(rule), changed: namesOf(changes) };
    await audit(tx, { action: "rule.update", targetId: id, details });
    await markAllDue(tx);
  });
  return findRule(database, org_id, id);
}

/** @throws {AppError} `not_found` */
export async function removeRule(
  database: Database,
  { org_id, rule_id: id }: Input<typeof DeleteRule>,
): Promise<void> {
  await database.transaction(org_id, async (tx) => {
    await lockRules(tx);
    const [known] = isUuid(id) ? await listRules(tx, id) : [];
    if (!known || !(await deleteRule(tx, id))) throw noRule();
    await audit(tx, { action: "rule.delete", targetId: id, details: auditedFacts(changed(known, {})) });
    await markAllDue(tx);
  });
}

/** Ends the organization's rules whose time is over. */
export async function endDueRules(database: Database, orgId: string): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    const ended = await endRules(tx);
    for (const { id, name } of ended) {
      await audit(tx, { action: "rule.expire", targetId: id, details: { name } });
    }
    if (ended.length > 0) await markAllDue(tx);
  });
}

type Changes = Omit<Input<typeof UpdateRule>, "org_id" | "rule_id">;

/** Returns a rule's content after changes; null removes an optional member. */
function changed({ name, on, when = "", reason, enabled, ...known }: Rule, changes: Changes): StoredRule {
  const {
    owner = known.owner,
    expires_at = known.expires_at,
    then: effect = known.then,
    ...others
  } = changes;
  return {
    name,
    on,
    when,
    reason,
    enabled,
    ...others,
    // oxlint-disable-next-line unicorn/no-thenable -- the API's name; an object can't be called
    then: effect,
    ...(owner !== null && owner !== undefined && { owner }),
    expires_at: expires_at ?? undefined,
  };
}

/** @throws {AppError} `invalid_parameter` */
export async function checkRule(
  orgId: string,
  rule: Pick<RuleContent, "on" | "when" | "then">,
): Promise<void> {
  await checkCondition(orgId, rule.when);
  refuse(thenProblem(rule));
}

/** Compiles a condition, on a thread if it is long. @throws {AppError} `invalid_parameter` */
async function checkCondition(orgId: string, when: string): Promise<void> {
  refuse(await driftReaders.do({ orgId, bytes: readingSize([{ when }]) }, "whenProblem", [when]));
}

function refuse(problem: RuleProblem | undefined): void {
  if (problem) throw invalidParameter(problem.field, problem.message);
}

function checkEnd(expiresAt: string | null | undefined): void {
  if (typeof expiresAt === "string" && Date.parse(expiresAt) <= Date.now())
    throw invalidParameter("expires_at", "must be in the future");
}

async function refuseTakenName(tx: Transaction, name: string, id: string): Promise<void> {
  if (await isNameTaken(tx, name, id))
    throw new AppError(
      "conflict",
      `another rule is named "${name}"; choose another name or change that rule`,
    );
}

function auditedFacts({ name, on, when, then: effect, enabled, expires_at }: StoredRule) {
  return { name, on: on.join(" "), when, effect: JSON.stringify(effect), enabled, expires_at };
}

function noRule(): AppError {
  return new AppError("not_found", "the rule doesn't exist");
}

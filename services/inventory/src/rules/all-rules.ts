import type { Input } from "@leeway/shared/contracts/contract";
import type { DeleteRule, Rule, UpdateRule } from "@leeway/shared/contracts/inventory/rules";
import { AppError } from "@leeway/shared/values/errors";
import type { Database } from "@leeway/shared/database/database";
import type { Platform } from "@leeway/shared/service/service";

import {
  isExclusionRule,
  listRules as listExclusions,
  setRule as setExclusion,
} from "../exclusions/exclusions.ts";
import { changeRule, removeRule } from "./rules.ts";
import { listRules } from "./store/rules.ts";

type Exclusion = Awaited<ReturnType<typeof setExclusion>>;

/** Lists an organization's own rules in the order in which they apply, then the exclusion rules of Leeway. */
export async function listAllRules(database: Database, orgId: string): Promise<Rule[]> {
  const [own, builtIn] = await Promise.all([listRules(database.org(orgId)), listExclusions(database, orgId)]);
  return [...own, ...builtIn.map(fromExclusion)];
}

/**
 * Changes a rule. A built-in one can only be switched on or off.
 * @throws {AppError} `not_found`, `empty_update`, `invalid_parameter`, `conflict`, `forbidden`
 */
export async function changeAnyRule(platform: Platform, input: Input<typeof UpdateRule>): Promise<Rule> {
  const { org_id, rule_id, ...changes } = input;
  const { enabled, ...others } = changes;
  if (Object.keys(changes).length === 0)
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  if (!isExclusionRule(rule_id)) return changeRule(platform.database, input);
  if (enabled === undefined || Object.keys(others).length > 0)
    throw new AppError("forbidden", "only enabled can be changed in a built-in rule");
  return fromExclusion(await setExclusion(platform, { org_id, rule_id, enabled }));
}

/** @throws {AppError} `not_found`; `forbidden` for a built-in rule */
export async function removeAnyRule(database: Database, input: Input<typeof DeleteRule>): Promise<void> {
  if (isExclusionRule(input.rule_id))
    throw new AppError("forbidden", "a built-in rule can't be deleted; disable it instead");
  await removeRule(database, input);
}

function fromExclusion({ id, title, enabled, excluded_count }: Exclusion): Rule {
  return {
    id,
    name: title,
    on: ["undeclared"],
    // oxlint-disable-next-line unicorn/no-thenable -- the API's name; an object can't be called
    then: { ignore: true },
    reason: "Nobody declares these resources, so they aren't counted.",
    enabled,
    built_in: true,
    matched_count: excluded_count,
    hidden_count: 0,
  };
}

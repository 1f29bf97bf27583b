import { CLOUDS } from "@leeway/clouds/clouds";
import type { Input } from "@leeway/shared/contracts/contract";
import type { ExclusionRule, SwitchExclusionRule } from "@leeway/shared/contracts/inventory/posture";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";
import type { Static } from "@sinclair/typebox";

import { audit } from "../audit.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { rematch } from "../matching/rematch.ts";
import { disabledRules, excludedByRule, sweptAccountsOf, switchRule } from "../matching/store/exclusions.ts";

type Rule = Static<typeof ExclusionRule>;

/** Returns whether a cloud has an exclusion rule with this id. */
export function isExclusionRule(id: string): boolean {
  return CLOUDS.some(({ exclusions }) => exclusions.some((rule) => rule.id === id));
}

/** Lists every rule of every cloud, with the number of resources it excludes. */
export async function listRules(database: Database, orgId: string): Promise<Rule[]> {
  const sql = database.org(orgId);
  const [disabled, counts] = await Promise.all([disabledRules(sql), excludedByRule(sql)]);
  return CLOUDS.flatMap(({ provider, exclusions }) =>
    exclusions.map(({ id, title }) => ({
      id,
      provider,
      title,
      enabled: !disabled.includes(id),
      excluded_count: counts.get(id) ?? 0,
    })),
  );
}

/**
 * Enables or disables a rule, and recounts every account of its cloud.
 * @throws {AppError} `not_found`
 */
export async function setRule(
  platform: Platform,
  { org_id, rule_id, enabled }: Input<typeof SwitchExclusionRule>,
): Promise<Rule> {
  const cloud = CLOUDS.find(({ exclusions }) => exclusions.some(({ id }) => id === rule_id));
  if (!cloud) throw new AppError("not_found", "the exclusion rule doesn't exist");
  await changeMatching(platform, org_id, async (tx) => {
    await switchRule(tx, rule_id, enabled);
    await audit(tx, { action: "exclusion_rule.update", targetId: rule_id, details: { enabled } });
    await rematch(tx, await sweptAccountsOf(tx, cloud.provider));
  });
  const rules = await listRules(platform.database, org_id);
  const rule = rules.find(({ id }) => id === rule_id);
  if (!rule) throw new AppError("not_found", "the exclusion rule doesn't exist");
  return rule;
}

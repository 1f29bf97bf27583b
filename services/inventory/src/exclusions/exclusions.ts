import type { Static } from "@sinclair/typebox";
import type { Input } from "@leeway/shared/contract";
import type { ExclusionRule, SwitchExclusionRule } from "@leeway/shared/contracts/inventory/posture";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { CLOUDS } from "../clouds/clouds.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { rematch } from "../matching/rematch.ts";
import { disabledRules, excludedByRule, sweptAccountsOf, switchRule } from "./store.ts";

type Rule = Static<typeof ExclusionRule>;

/** Every rule of every cloud, with what it leaves out now. */
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

/** Switches a rule and counts every account of its cloud anew. @throws {AppError} `not_found` */
export async function setRule(
  platform: Platform,
  { org_id, rule_id, enabled }: Input<typeof SwitchExclusionRule>,
): Promise<Rule> {
  const cloud = CLOUDS.find(({ exclusions }) => exclusions.some(({ id }) => id === rule_id));
  if (!cloud) throw new AppError("not_found", "no such exclusion rule");
  await changeMatching(platform, org_id, async (tx) => {
    await switchRule(tx, rule_id, enabled);
    await rematch(tx, await sweptAccountsOf(tx, cloud.provider));
  });
  const rules = await listRules(platform.database, org_id);
  const rule = rules.find(({ id }) => id === rule_id);
  if (!rule) throw new AppError("not_found", "no such exclusion rule");
  return rule;
}

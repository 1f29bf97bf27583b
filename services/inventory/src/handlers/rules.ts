import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import * as contracts from "@leeway/shared/contracts/inventory/rules";

import type { Dependencies } from "../dependencies.ts";
import { applyRulesSoon } from "../drift/ruling/apply-rules.ts";
import { previewRule } from "../drift/ruling/preview-rule.ts";
import { changeAnyRule, listAllRules, removeAnyRule } from "../rules/all-rules.ts";
import { addRule } from "../rules/rules.ts";
import { activeRules } from "../rules/store/rules.ts";

export function ruleHandlers(deps: Dependencies): Endpoint[] {
  const { database } = deps;
  return [
    answer(contracts.ListRules, async ({ org_id }) => ({ data: await listAllRules(database, org_id) })),
    answer(contracts.ListActiveRules, async ({ org_id }) => ({
      rules: await activeRules(database.org(org_id)),
    })),
    answer(contracts.PreviewRule, (input) => previewRule(database, input)),
    answer(contracts.CreateRule, async (input) => {
      const rule = await addRule(database, input);
      applyRulesSoon(deps, input.org_id);
      return rule;
    }),
    answer(contracts.UpdateRule, async (input) => {
      const rule = await changeAnyRule(deps, input);
      applyRulesSoon(deps, input.org_id);
      return rule;
    }),
    answer(contracts.DeleteRule, async (input) => {
      await removeAnyRule(database, input);
      applyRulesSoon(deps, input.org_id);
      return {};
    }),
  ];
}

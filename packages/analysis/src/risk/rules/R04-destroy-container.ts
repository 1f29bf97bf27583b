import { deletes } from "../../plan/model.ts";
import { destroyed } from "../deletions.ts";
import { lossOf } from "../loss.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";

export const R04 = {
  id: "R04",
  title: "A container of other resources is destroyed",
  why: "Everything inside is deleted too, including resources that this plan doesn't list.",
  check: "List what is inside, including resources that no code declares.",
  cases: {
    destroyed: {
      flag: "destroy_container",
      when: "an account, project, resource group, network, DNS zone or definition of custom resources that is destroyed or replaced",
      standard: "critical",
      lenient: "critical",
      neverHidden: true,
    },
  },
  example: { address: "azurerm_resource_group.shop", actions: ["delete"], before: { name: "shop" } },
  isLoss: true,
  replaces: { rules: ["R01", "R03"], on: "change" },
  find: destroyedContainer,
} satisfies Rule;

function destroyedContainer(subject: Subject): RuleMatch[] {
  if (!deletes(subject.change) || lossOf(subject.type) !== "container") return [];
  return [destroyed(subject, R04.cases.destroyed, "everything in it goes with it")];
}

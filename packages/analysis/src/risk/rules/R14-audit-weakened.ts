import { goesForGood } from "../../plan/model.ts";
import { destroying } from "../deletions.ts";
import { pathsOf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { weakenedIn } from "../switches.ts";
import { AUDIT_SWITCHES, AUDITING, isAudit } from "../types.ts";
import { changesText } from "../values.ts";

export const R14 = {
  id: "R14",
  title: "Logging or monitoring is weakened",
  why: "Later incidents leave no trace.",
  check: "Make sure that the same events are recorded elsewhere.",
  cases: {
    weakened: {
      flag: "audit_weakened",
      when: "trails, flow logs, threat detection or diagnostic settings that are deleted or turned off",
      standard: "high",
      lenient: "medium",
    },
    reduced: {
      flag: "audit_reduced",
      when: "a filter that hides findings or logs",
      standard: "medium",
      lenient: "low",
    },
  },
  example: { address: "aws_cloudtrail.main", actions: ["delete"], before: { name: "main" } },
  replaces: { rules: ["R08", "R12", "R15"], on: "attributes" },
  find: weakenedAudit,
} satisfies Rule;

function weakenedAudit(subject: Subject): RuleMatch[] {
  if (goesForGood(subject.change) && isAudit(subject.type)) {
    const message = `${destroying(subject)}: what it recorded or watched goes unseen`;
    return [{ case: R14.cases.weakened, paths: [], message }];
  }
  const weakened = weakenedIn(AUDITING, AUDIT_SWITCHES, subject);
  if (weakened.length === 0) return [];
  const message = `Weakens logging or monitoring: ${changesText(weakened)}`;
  return [{ case: R14.cases.weakened, paths: pathsOf(weakened), message }];
}

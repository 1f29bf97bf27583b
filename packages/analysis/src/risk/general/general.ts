import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

import { goesForGood, updates } from "../../plan/model.ts";
import { lostDenials } from "../denials.ts";
import { pathsOf } from "../../plan/leaves.ts";
import type { RuleMatch } from "../rule.ts";
import { R02 } from "../rules/R02-protection-removed.ts";
import type { Subject } from "../subject.ts";
import { isIam } from "../types.ts";
import { listed } from "../values.ts";
import { createdByName, deletedByName } from "./resources.ts";
import { readSettings } from "./settings.ts";

/**
 * Reports what policies, names and words reveal and no table knows, as cases of the rules.
 * @param known the paths that rules report from their tables
 */
export function readGenerally(subject: Subject, known: readonly Path[]): RuleMatch[] {
  return [
    ...lostGuards(subject),
    ...deletedByName(subject),
    ...createdByName(subject),
    ...readSettings(subject, known),
  ];
}

/** Reports policies that deny less than before. */
function lostGuards({ change, type }: Subject): RuleMatch[] {
  if (!updates(change) && !(goesForGood(change) && isIam(type))) return [];
  const lost = lostDenials(change);
  if (lost.length === 0) return [];
  const message = `Policy no longer denies ${listed(lost.map(({ text }) => text))}`;
  return [{ case: R02.cases.guardRemoved, paths: updates(change) ? pathsOf(lost) : [], message }];
}

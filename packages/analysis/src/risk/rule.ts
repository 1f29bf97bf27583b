import type { Path, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/values/json";

import type { MaterialChange, Plan } from "../plan/model.ts";
import type { Subject } from "./subject.ts";

/** Texts of a rule: its title, why it matters, and what to check before applying. */
export interface RuleText {
  title: string;
  why: string;
  check: string;
}

/** A change that illustrates a rule, reduced to the relevant attributes. */
export interface RuleExample {
  address: string;
  actions: readonly string[];
  before?: JsonObject;
  after?: JsonObject;
  replacePaths?: readonly (readonly string[])[];
}

/** A case of a rule, with its level in each profile. */
export interface RuleCase {
  /** Stable, as scripts rely on it. */
  flag: string;
  /** End of the sentence "this is reported for …". */
  when: string;
  standard: RiskLevel;
  lenient: RiskLevel;
  /** Whether it is reported even if the change is certainly noise. */
  neverHidden?: true;
}

/** A finding of a rule on a change. The message contains values of the change, but no masked ones. */
export interface RuleMatch {
  /** One of the rule's own cases; its identity names the rule. */
  case: RuleCase;
  paths: Path[];
  message: string;
}

/** A rule: its condition, its levels, and the texts and the example of its documentation. */
export interface Rule extends RuleText {
  /** Stable, as scripts rely on it. */
  id: string;
  /** Cases in the order of the documentation. */
  cases: Readonly<Record<string, RuleCase>>;
  /** Texts of flags whose meaning differs from that of the rule. */
  flagTexts?: Readonly<Record<string, RuleText>>;
  /** The documentation shows it with its finding. */
  example?: RuleExample;
  /** Returns the rule's findings on a change. Never throws. */
  find?: (subject: Subject) => RuleMatch[];
  /** Returns the rule's findings on a plan as a whole. Never throws. */
  findInPlan?: (plan: Plan, changes: readonly MaterialChange[]) => RuleMatch[];
  /** `alone`: no other rule reports the same change. `otherwise`: reports only changes that no other rule reports. */
  applies?: "alone" | "otherwise";
  /** Less specific rules, whose findings on the same change or on the same attributes are dropped. */
  replaces?: { rules: readonly string[]; on: "change" | "attributes" };
  /** False if it only reports that a setting changes. Names and words of the setting are then read as well. */
  interprets?: false;
  /** Whether the loss is final, even if the plan reverts the drift. */
  isLoss?: true;
}

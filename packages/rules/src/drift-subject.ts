import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";
import { isObject } from "@leeway/shared/values/json";

import { readCondition } from "./condition.ts";
import { failureText } from "./wording.ts";
import { ruleSet, type Verdict } from "./rule-set.ts";
import { subjectOf, type Subject } from "./subject.ts";

type Kind = "changed" | "missing" | "undeclared";

/** A drift change as rules read it, apart from what is known of its resource. */
type Content = Pick<
  DriftChange,
  | "actions"
  | "address"
  | "module_address"
  | "resource_type"
  | "resource_name"
  | "provider_resource_id"
  | "attribute_changes"
  | "risk_flags"
>;

/** Facts about a change's resource, its declaration and its author. JSON is in texts. */
export interface DriftFacts {
  provider: string;
  /** External id of the cloud account. */
  account: string;
  region: string | null;
  name: string | null;
  /** JSON object with the live resource's tags, or that of a missing resource's attributes. */
  tags: string | null;
  attributes: string | null;
  /** Name of the IaC source. */
  source: string | null;
  /** JSON of the author. */
  actor: string | null;
}

/** A stored change, and what rules can know about it. */
export interface DriftRow {
  fingerprint: string;
  kind: Kind;
  /** Level without rules. */
  level: RiskLevel;
  /** JSON of the rest of the change. */
  content: string;
  facts: DriftFacts;
}

export function driftSubject(
  { kind, level, fingerprint }: Pick<DriftRow, "kind" | "level" | "fingerprint">,
  content: Content,
  { provider, account, region, name, tags, attributes, source, actor }: DriftFacts,
): Subject {
  const { risk_flags: flags, resource_name, provider_resource_id: id = "" } = content;
  return subjectOf({
    change: {
      kind,
      risk_level: level,
      fingerprint,
      actions: content.actions,
      rules: flags.map(({ rule }) => rule),
      flags: flags.map(({ flag }) => flag),
    },
    resource: {
      type: content.resource_type,
      provider,
      account,
      id,
      region: region ?? "",
      name: name ?? resource_name ?? "",
      tags: tagsIn(tags, attributes),
    },
    declared: {
      address: content.address ?? "",
      module: content.module_address ?? "",
      source: source ?? "",
    },
    ...(actor !== null && { actor: textsIn(parsed(actor)) }),
    paths: content.attribute_changes.map(({ path }) => path),
  });
}

/** Evaluates rules on stored changes. The verdicts are in the order of the rows. */
export function judgeByRules(rules: readonly ActiveRule[], rows: readonly DriftRow[]): Verdict[] {
  const { judge } = ruleSet(rules);
  return rows.map((row) => judge(driftSubject(row, JSON.parse(row.content), row.facts)));
}

/** The rows that a condition matches, and the number of rows for which it fails. */
export interface Matches {
  matched: number[];
  failed: number;
  failure: string | undefined;
}

/** Evaluates one condition on stored changes. */
export function matchByCondition(when: string, rows: readonly DriftRow[]): Matches {
  const matches: Matches = { matched: [], failed: 0, failure: undefined };
  const read = readCondition(when);
  if ("problem" in read) return matches;
  for (const [index, row] of rows.entries()) {
    try {
      if (read.condition(driftSubject(row, JSON.parse(row.content), row.facts))) matches.matched.push(index);
    } catch (error) {
      matches.failed += 1;
      matches.failure ??= failureText(error);
    }
  }
  return matches;
}

/** Attributes of a declaration that contain tags; the first one counts. */
const TAG_ATTRIBUTES = ["tags_all", "effective_labels", "tags", "labels"];

function tagsIn(tags: string | null, attributes: string | null): ReadonlyMap<string, string> {
  const live = parsed(tags);
  return live ? new Map(Object.entries(textsIn(live))) : tagsOf(parsed(attributes));
}

/** Returns the tags in a declaration's attributes. */
export function tagsOf(attributes: Record<string, unknown> | undefined): ReadonlyMap<string, string> {
  const found = TAG_ATTRIBUTES.map((name) => attributes?.[name]).find(isObject);
  return new Map(Object.entries(textsIn(found)));
}

function textsIn(object: Record<string, unknown> | undefined): Record<string, string> {
  const texts = Object.entries(object ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}

function parsed(json: string | null): Record<string, unknown> | undefined {
  const value: unknown = json === null ? undefined : JSON.parse(json);
  return isObject(value) ? value : undefined;
}

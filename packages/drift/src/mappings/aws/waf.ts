import { attributeText } from "@leeway/clouds/aws/attributes";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { mirroredMember } from "../../live-path.ts";
import { derivedRows } from "../../derived/rows.ts";
import type { MappingTable, Part, Row, Shape, ShapeWithin, Whole } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { row, same } from "../../shapes.ts";

/** Members with one of several words, each of which is a block in the state. */
const ACTIONS = ["action", "override_action"];
/** Prefix of rules that Shield Advanced adds, which are in no state. */
const SHIELD = "ShieldMitigationRuleGroup_";

const DERIVED = derivedRows("aws_wafv2_web_acl", {});

/** Returns a block as the derived rows compare it. */
function derived(name: string, live: Json, block: JsonObject): JsonObject {
  const shaped = DERIVED[name]?.shape(live, [block], NOWHERE);
  const [found] = Array.isArray(shaped) ? shaped : [];
  return isObject(found) ? found : block;
}

const NOWHERE: Whole = { declared: {}, live: {}, parts: [] };

/**
 * Converts a word that is a member, `{"Block": {}}`, to a block among empty ones.
 * @param same the block if the word is the same
 */
function worded(live: Json | undefined, declared: Json, same: Json = declared): Json {
  const [word, another] = isObject(live) ? Object.keys(live) : [];
  if (word === undefined || another !== undefined) return declared;
  const name = word.toLowerCase();
  const [known] = Array.isArray(declared) ? declared : [];
  if (!isObject(known)) return [{ [name]: [{}] }];
  const isSame = Array.isArray(known[name]) && known[name].length > 0;
  return isSame
    ? same
    : [{ ...Object.fromEntries(Object.keys(known).map((key) => [key, []])), [name]: [{}] }];
}

const action: Shape = (live, declared) => {
  const [block] = Array.isArray(declared) ? declared : [];
  return worded(live, declared, isObject(block) ? [derived("default_action", live, block)] : declared);
};

/** Compares rules by name. Rules that are separate resources are compared separately. */
const rules: ShapeWithin = (live, declared, { declared: { rule_json: json = null }, parts }) => {
  if (!Array.isArray(live) || (typeof json === "string" && json !== "")) return undefined;
  const left = new Map(live.filter(isObject).map((rule) => [nameOf(rule), rule]));
  const kept = (Array.isArray(declared) ? declared : []).map((block) => {
    const name = isObject(block) ? nameOf(block) : "";
    const rule = left.get(name);
    left.delete(name);
    return rule === undefined || !isObject(block) ? null : withRule(block, rule);
  });
  const theirs = new Set(parts.map(nameOfPart));
  const added = [...left].filter(([name]) => !theirs.has(name) && !name.startsWith(SHIELD));
  return [...kept, ...added.map(([name, rule]) => ({ name, ...newRule(rule) }))];
};

/** Returns the name. AWS Config writes members in lower case, Cloud Control doesn't. */
function nameOf(rule: JsonObject): string {
  const name = mirroredMember(rule, "name");
  return typeof name === "string" ? name : "";
}

function nameOfPart({ attributes }: Part): string | undefined {
  return attributeText(attributes, "rule_name") ?? attributeText(attributes, "name");
}

function withRule(block: JsonObject, rule: JsonObject): JsonObject {
  const known = derived("rule", [rule], block);
  const members = Object.entries(block).map(([name, declared]): [string, Json] => {
    const live = mirroredMember(rule, name);
    const inner = known[name] ?? declared;
    if (ACTIONS.includes(name)) return [name, worded(live, declared, inner)];
    return [name, (live === undefined ? undefined : mirrored(live, declared)) ?? inner];
  });
  return Object.fromEntries(members);
}

/** Returns a block for an undeclared rule. */
function newRule(rule: JsonObject): JsonObject {
  const words = ACTIONS.map((name): [string, Json] => [name, worded(mirroredMember(rule, name), [])]);
  return { priority: mirroredMember(rule, "priority") ?? null, ...Object.fromEntries(words) };
}

/** Compares the texts of a set, each of which is a block in the state. */
const expressions: ShapeWithin = (live, declared) =>
  Array.isArray(live)
    ? mirrored(
        live.map((regex_string) => ({ regex_string })),
        declared,
      )
    : undefined;

const METRICS: Readonly<Record<string, string>> = {
  "visibility_config.cloudwatch_metrics_enabled": "VisibilityConfig.CloudWatchMetricsEnabled",
  "visibility_config.sampled_requests_enabled": "VisibilityConfig.SampledRequestsEnabled",
};
const RULES = { description: "Description", rule: row("Rules", rules), ...METRICS } satisfies Record<
  string,
  string | Row
>;

/** Types of AWS's web application firewall; see `AWS`. */
export const AWS_WAF: MappingTable = {
  aws_wafv2_web_acl: {
    ...RULES,
    default_action: row("DefaultAction", action),
    token_domains: "TokenDomains",
  },
  aws_wafv2_rule_group: RULES,
  aws_wafv2_ip_set: same("description addresses"),
  aws_wafv2_regex_pattern_set: {
    description: "Description",
    regular_expression: row("RegularExpressionList", expressions),
  },
};

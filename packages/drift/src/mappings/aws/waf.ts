import { attributeText } from "@leeway/clouds/aws/attributes";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { mirroredMember } from "../../live-path.ts";
import type { MappingTable, Part, Row, ShapeWithin } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { row, same } from "../../shapes.ts";

/** Members with one of several words, each of which is a block in the state. */
const ACTIONS = ["action", "override_action"];
/** Prefix of rules that Shield Advanced adds, which are in no state. */
const SHIELD = "ShieldMitigationRuleGroup_";

/** Converts a word that is a member, `{"Block": {}}`, to a block among empty ones. */
function worded(live: Json | undefined, declared: Json): Json {
  const [word] = isObject(live) ? Object.keys(live) : [];
  if (word === undefined) return declared;
  const name = word.toLowerCase();
  const [known] = Array.isArray(declared) ? declared : [];
  if (!isObject(known)) return [{ [name]: [{}] }];
  const isSame = Array.isArray(known[name]) && known[name].length > 0;
  return isSame
    ? declared
    : [{ ...Object.fromEntries(Object.keys(known).map((key) => [key, []])), [name]: [{}] }];
}

const action: ShapeWithin = worded;

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
  const members = Object.entries(block).map(([name, declared]): [string, Json] => {
    const live = mirroredMember(rule, name);
    if (ACTIONS.includes(name)) return [name, worded(live, declared)];
    return [name, (live === undefined ? undefined : mirrored(live, declared)) ?? declared];
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

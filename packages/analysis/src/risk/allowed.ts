import type { Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { isEmpty, textsOf } from "./attribute-values.ts";
import { field, inboundRules, portsOf, portText, type InboundRule } from "./inbound.ts";
import { sourceText } from "./openings.ts";
import { listed, shown } from "./values.ts";

/** Attributes that name sources other than networks: groups, tags, accounts. */
const OTHER_SOURCES = [
  "security_groups",
  "source_security_group_id",
  "referenced_security_group_id",
  "prefix_list_ids",
  "prefix_list_id",
  "source_tags",
  "source_service_accounts",
  "source_application_security_group_ids",
  "remote_group_id",
];
/** Limit on compared rules, which bounds the time for any plan. */
const MAX_RULES = 1_000;
const MAX_SOURCES = 20;

/** Describes how a network policy change affects allowed inbound traffic; empty if it can't be shown. */
export function allowedText(type: string, { before, after }: ResourceChange): string {
  const [were, are] = [rulesIn(type, before), rulesIn(type, after)];
  const added = [...are].filter((rule) => !were.has(rule));
  const removed = [...were].filter((rule) => !are.has(rule));
  const parts = [
    added.length > 0 && `allows ${listed(added)}`,
    removed.length > 0 && `no longer allows ${listed(removed)}`,
  ].filter((part) => part !== false);
  return parts.join("; ").replace(/^./, (first) => first.toUpperCase());
}

function rulesIn(type: string, side: Json): Set<string> {
  const texts = inboundRules(type, side).slice(0, MAX_RULES).map(ruleText);
  return new Set(texts.filter((text) => text !== ""));
}

/** Describes a rule, such as `port 443 from 10.0.0.0/8`. */
function ruleText(rule: InboundRule): string {
  const { scope, row } = rule;
  const ends = row.ends?.flatMap((name) => textsOf(field(scope, name).value)) ?? [];
  const sources = [...row.sources, ...OTHER_SOURCES]
    .map((name) => field(scope, name).value)
    .filter((value) => !isEmpty(value))
    .flatMap((value) => textsOf(value))
    .slice(0, MAX_SOURCES);
  const own = scope[0]?.block["self"] === true ? ["itself"] : [];
  const from = listed([...sources.map(sourceText), ...own]);
  const ports = listed(portsOf(rule).map(portText));
  if (from === "") return "";
  return `${ports || "ICMP"} from ${from}${ends.length > 0 ? `–${shown(ends.join())}` : ""}`;
}

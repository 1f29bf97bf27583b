import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { goesForGood } from "../../plan/model.ts";
import { hasEverybody, isEmpty, numeric, textsOf } from "../attribute-values.ts";
import { destroying } from "../deletions.ts";
import { lossOf } from "../loss.ts";
import type { RuleCase, RuleMatch } from "../rule.ts";
import { R02 } from "../rules/R02-protection-removed.ts";
import { R10 } from "../rules/R10-public-data.ts";
import { R11 } from "../rules/R11-privilege-escalation.ts";
import { R14 } from "../rules/R14-audit-weakened.ts";
import { R15 } from "../rules/R15-traffic-path-change.ts";
import { R16 } from "../rules/R16-capacity-reduction.ts";
import { isNew, type Subject } from "../subject.ts";
import { BACKUPS, BESIDE_WATCHERS, GUARDS, WATCHERS } from "./type-names.ts";

/** Judges created and deleted resources by their type's name, if no table knows it. */

const LONGEST_NAME = 120;

interface Going {
  types: RegExp;
  but?: RegExp;
  case: RuleCase;
  message: string;
}

const GOING: readonly Going[] = [
  { types: BACKUPS, case: R02.cases.protectionRemoved, message: "data loses this protection" },
  {
    types: WATCHERS,
    but: BESIDE_WATCHERS,
    case: R14.cases.weakened,
    message: "what it recorded or watched goes unseen",
  },
  {
    types: GUARDS,
    but: /_rule$|exemption|ip_set|rule_group/,
    case: R02.cases.guardRemoved,
    message: "what it kept out is let in",
  },
];

/** R02 and R14: report deleted guards, monitors and backups. */
export function deletedByName(subject: Subject): RuleMatch[] {
  const { change, type } = subject;
  if (!goesForGood(change) || lossOf(type, change.before) !== "other") return [];
  const name = type.slice(0, LONGEST_NAME);
  const found = GOING.find(({ types, but }) => types.test(name) && but?.test(name) !== true);
  if (found === undefined) return [];
  return [{ case: found.case, paths: [], message: `${destroying(subject)}: ${found.message}` }];
}

interface Coming {
  types: RegExp;
  when: (after: JsonObject) => boolean;
  case: RuleCase;
  message: string;
}

/** Attributes that name the peer network, if it is known before apply. */
const PEERS = [
  "vpc_peering_connection_id",
  "peer_vpc_id",
  "remote_virtual_network_id",
  "peer_network",
  "peer_transit_gateway_id",
];

const COMING: readonly Coming[] = [
  {
    types: /logging_\w{1,20}exclusion$/,
    when: (after) =>
      after["disabled"] !== true && /audit|security|iam|login|auth/i.test(textIn(after, "filter")),
    case: R14.cases.weakened,
    message: "Drops audit logs before they are stored",
  },
  {
    types: /suppress|mute_config|guardduty_filter$/,
    when: (after) => /^$|archive|suppress|mute/i.test(textIn(after, "action")),
    case: R14.cases.reduced,
    message: "Hides findings from now on",
  },
  {
    types: /lighthouse_assignment$/,
    when: () => true,
    case: R11.cases.broad,
    message: "Lets another tenant manage this scope",
  },
  {
    types: /access_policy$/,
    when: (after) => textIn(after, "decision") === "bypass" || letsEveryoneIn(after),
    case: R10.cases.access,
    message: "Lets everyone in without signing in",
  },
  {
    types: /_gc_policy$/,
    when: (after) => ["max_age", "max_version", "gc_rules"].some((name) => !isEmpty(after[name])),
    case: R02.cases.protectionRemoved,
    message: "Deletes old data from now on",
  },
  {
    types: /autoscaling_schedule$|appautoscaling_scheduled_action$/,
    when: (after) =>
      ["desired_capacity", "max_size", "max_capacity"].some((name) => numeric(after[name]) === 0),
    case: R16.cases.reduced,
    message: "Scales to zero on a schedule",
  },
  {
    types: /(?:vpc|network|transit_gateway)_peering/,
    when: (after) => PEERS.some((name) => textIn(after, name) !== ""),
    case: R15.cases.changed,
    message: "Connects two networks",
  },
  {
    types: /(?:transit_gateway|vpn_connection)_route$/,
    when: (after) => hasEverybody(after["destination_cidr_block"]),
    case: R15.cases.changed,
    message: "Adds a default route",
  },
];

/** Reports effects of new resources on existing ones. */
export function createdByName({ change, type }: Subject): RuleMatch[] {
  const { after } = change;
  if (!isNew(change) || !isObject(after)) return [];
  const name = type.slice(0, LONGEST_NAME);
  return COMING.filter(({ types, when }) => types.test(name) && when(after)).map(
    ({ case: found, message }) => ({
      case: found,
      paths: [],
      message,
    }),
  );
}

function textIn(after: JsonObject, name: string): string {
  return text(after, name) ?? "";
}

function letsEveryoneIn(after: JsonObject): boolean {
  const isAllowed = textIn(after, "decision") === "allow";
  return isAllowed && members(after, "include").some((block) => isTrue(block["everyone"]));
}

function isTrue(value: Json | undefined): boolean {
  return textsOf(value).includes("true");
}

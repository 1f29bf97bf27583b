import { forgets, updates, type ResourceChange } from "../../plan/model.ts";
import { accessText, namedText, verbOf } from "../access-text.ts";
import { allowedText } from "../allowed.ts";
import { isClosedOff } from "../closures.ts";
import { isEffective } from "../cosmetic.ts";
import { firstPathsOf, type Leaf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import { isNewRevision, type Subject } from "../subject.ts";
import { isNetworkPolicy, REACH } from "../types.ts";
import { changesText } from "../values.ts";

export const R08 = {
  id: "R08",
  title: "Network rules change",
  why: "Other machines may gain or lose access to it.",
  check: "Review each rule that is added or removed, and confirm who needs it.",
  cases: {
    changed: {
      flag: "network_policy_change",
      when: "a security group, firewall, network ACL or a rule of one that is created, updated or deleted, and settings of anything else that say behind which of them it is, or which networks reach it",
      standard: "medium",
      lenient: "medium",
    },
  },
  example: {
    address: "aws_vpc_security_group_ingress_rule.web",
    actions: ["create"],
    after: { ip_protocol: "tcp", from_port: 443, to_port: 443, cidr_ipv4: "10.0.0.0/8" },
  },
  interprets: false,
  find: changedNetworkRules,
} satisfies Rule;

function changedNetworkRules({ change, type, what, leaves }: Subject): RuleMatch[] {
  if (forgets(change)) return [];
  const isPolicy = isNetworkPolicy(type);
  const changed = updates(change) || isNewRevision(change) ? leaves : [];
  const material = isPolicy
    ? changed.filter((leaf) => isEffective(type, leaf) && !LIMITS.test(leaf.name))
    : signsIn(REACH, type, changed).filter((leaf) => !isClosedOff(type, change, leaf));
  if (material.length === 0 && (changed.length > 0 || !isPolicy)) return [];
  const message = isPolicy
    ? allowedText(type, change) || policyText(change, material)
    : `Changes which networks reach ${what}: ${changesText(material)}`;
  return [{ case: R08.cases.changed, paths: firstPathsOf(material), message }];
}

/** Limits on request size, and cache lifetimes. */
const LIMITS = /(?:^|\.)[a-z_]{1,40}_in_(?:kb|mb|bytes)$|(?:^|[._])(?:edge_ttl|browser_ttl|cache)[._]/;

function policyText(change: ResourceChange, material: readonly Leaf[]): string {
  if (material.length > 0) return `Changes network rules: ${accessText(material)}`;
  const named = updates(change) ? "" : namedText(change);
  return `${verbOf(change)} network rules${named === "" ? "" : `: ${named}`}`;
}

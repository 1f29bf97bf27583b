import { updates } from "../../plan/model.ts";
import { isEffective } from "../cosmetic.ts";
import { firstPathsOf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import type { Subject } from "../subject.ts";
import { isBesidePath, isTrafficPath, ORIGINS } from "../types.ts";
import { changesText } from "../values.ts";

export const R15 = {
  id: "R15",
  title: "Traffic is rerouted",
  why: "Requests go to a different target as soon as the plan is applied.",
  check: "Check that the new target answers, and how long clients cache the old one.",
  cases: {
    changed: {
      flag: "traffic_path_change",
      when: "an update of routes, DNS records, load balancer targets, peerings, VPNs or transit gateways",
      standard: "medium",
      lenient: "medium",
    },
  },
  example: {
    address: "aws_route53_record.shop",
    actions: ["update"],
    before: { name: "shop.example.com", type: "A", records: ["192.0.2.10"] },
    after: { name: "shop.example.com", type: "A", records: ["192.0.2.20"] },
  },
  interprets: false,
  find: changedPath,
} satisfies Rule;

function changedPath({ change, type, leaves }: Subject): RuleMatch[] {
  if (!updates(change)) return [];
  const leading = !isTrafficPath(type)
    ? signsIn(ORIGINS, type, leaves)
    : leaves.filter((leaf) => isEffective(type, leaf) && !isBesidePath(type, leaf.name));
  if (leading.length === 0 && (leaves.length > 0 || !isTrafficPath(type))) return [];
  const detail = leading.length > 0 ? `: ${changesText(leading)}` : "";
  const message = `Changes where traffic goes${detail}`;
  return [{ case: R15.cases.changed, paths: firstPathsOf(leading), message }];
}

import { isObject } from "@leeway/shared/values/json";

import { updates } from "../../plan/model.ts";
import { pathsOf, type Leaf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import type { Subject } from "../subject.ts";
import { DISRUPTIONS, isCluster, isStateful, RESTARTS } from "../types.ts";
import { changesText } from "../values.ts";

export const R07 = {
  id: "R07",
  title: "A resource that holds data is interrupted",
  why: "The change restarts the resource or moves its data.",
  check: "Apply it in a maintenance window, and know how to roll back.",
  cases: {
    disrupted: {
      flag: "stateful_disruptive_update",
      when: "an update in place that restarts a resource that holds data: instance class, engine or its major version, storage type or encryption, subnet group, parameter group, `apply_immediately`; or another version of Kubernetes for a cluster",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    inWindow: {
      flag: "disruption_in_window",
      when: "the same of a database at AWS that applies changes in its maintenance window only",
      standard: "medium",
      lenient: "low",
    },
    restarted: {
      flag: "restart",
      when: "another size of a machine, a minor version of a database's engine, or a major version of a Helm chart",
      standard: "medium",
      lenient: "low",
    },
  },
  example: {
    address: "aws_db_instance.orders",
    actions: ["update"],
    before: { instance_class: "db.r6g.xlarge" },
    after: { instance_class: "db.t3.small" },
  },
  find: interrupted,
} satisfies Rule;

function interrupted({ change, type, what, leaves }: Subject): RuleMatch[] {
  if (!updates(change)) return [];
  const disrupting = isStateful(type) || isCluster(type) ? signsIn(DISRUPTIONS, type, leaves) : [];
  if (disrupting.length > 0) {
    const isLater =
      isObject(change.after) && change.after["apply_immediately"] === false && !isUpgrade(disrupting);
    const message = `Restarts or interrupts ${what}${isLater ? " in its maintenance window" : ""}: ${changesText(disrupting)}`;
    return [
      { case: isLater ? R07.cases.inWindow : R07.cases.disrupted, paths: pathsOf(disrupting), message },
    ];
  }
  const restarting = signsIn(RESTARTS, type, leaves);
  if (restarting.length === 0) return [];
  const message = `Restarts ${what}: ${changesText(restarting)}`;
  return [{ case: R07.cases.restarted, paths: pathsOf(restarting), message }];
}

/** Checks for a new engine or major version, which no maintenance window makes easy to revert. */
function isUpgrade(leaves: readonly Leaf[]): boolean {
  return leaves.some(({ name }) => /(?:^|[_.])(?:engine|version)$/.test(name));
}

import { isObject, type Json } from "@leeway/shared/values/json";

import { creates, goesForGood, updates } from "../../plan/model.ts";
import { textsOf } from "../attribute-values.ts";
import { destroying } from "../deletions.ts";
import { soonerExpiries, wholeExpiries } from "../expiries.ts";
import { pathsOf, valueOf } from "../../plan/leaves.ts";
import type { Rule, RuleCase, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import type { Subject } from "../subject.ts";
import {
  concernsStateful,
  GUARD_SIGNS,
  isGuard,
  isProtectionSetting,
  PROTECTIONS,
  REDUCTIONS,
} from "../types.ts";
import { changesText } from "../values.ts";

/** Plans don't show a removed `prevent_destroy`. */
export const R02 = {
  id: "R02",
  title: "Protection against data loss is removed",
  why: "The next mistake can destroy the data or its backups.",
  check: "Find out why the protection is removed, and when it will be restored.",
  cases: {
    protectionRemoved: {
      flag: "protection_removed",
      when: "an update that takes away what protects a resource that holds data: deletion protection, backups, point-in-time recovery, versioning, the final snapshot, or how long it is kept by a lifecycle or a log; or the deletion of what does so beside it, such as its versioning",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    besideDestroy: {
      flag: "protection_removed",
      when: "the same, when R01 speaks of something in the same plan",
      standard: "critical",
      lenient: "medium",
      neverHidden: true,
    },
    guardRemoved: {
      flag: "guard_removed",
      when: "a guard on rights, code or requests that is removed, or only watches or reports from now on: a permissions boundary, an organization's policy, branch protection, a web application firewall; and authentication that is turned off or weakened",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    protectionReduced: {
      flag: "protection_reduced",
      when: "backups that are kept for at most half as long, or deletion protection, backups or secure boot that are turned off on a resource without data",
      standard: "medium",
      lenient: "low",
    },
  },
  example: {
    address: "aws_db_instance.orders",
    actions: ["update"],
    before: { deletion_protection: true, backup_retention_period: 14 },
    after: { deletion_protection: false, backup_retention_period: 0 },
  },
  replaces: { rules: ["R08", "R12", "R15"], on: "attributes" },
  find: removedProtection,
} satisfies Rule;

function removedProtection(subject: Subject): RuleMatch[] {
  const { change } = subject;
  if (goesForGood(change)) return deletedProtection(subject);
  if (creates(change)) return newExpiries(subject);
  if (!updates(change)) return [];
  const found = [turnedOffProtection, liftedGuard, reducedProtection].map((find) => find(subject));
  return found.find((matches) => matches.length > 0) ?? [];
}

function deletedProtection(subject: Subject): RuleMatch[] {
  const { change, type } = subject;
  if (isGuard(type)) {
    const message = `${destroying(subject)}: what it kept out is let in`;
    return [{ case: R02.cases.guardRemoved, paths: [], message }];
  }
  if (!isProtectionSetting(type) || isOff(change.before)) return [];
  const message = `${destroying(subject)}: data loses this protection`;
  return [{ case: removalCase(subject), paths: [], message }];
}

function removalCase({ besideDestroy }: Subject): RuleCase {
  return besideDestroy ? R02.cases.besideDestroy : R02.cases.protectionRemoved;
}

function turnedOffProtection(subject: Subject): RuleMatch[] {
  const { change, type, leaves } = subject;
  if (!concernsStateful(type)) return [];
  const turned = signsIn(PROTECTIONS, type, leaves);
  const paths = pathsOf([...turned, ...soonerExpiries(change)]);
  if (paths.length === 0) return [];
  const message = turned.length > 0 ? `Removes protection: ${changesText(turned)}` : SOONER;
  return [{ case: removalCase(subject), paths, message }];
}

const SOONER = "Deletes objects that were kept before, or kept longer";

function liftedGuard({ type, leaves }: Subject): RuleMatch[] {
  const lifted = signsIn(GUARD_SIGNS, type, leaves);
  if (lifted.length === 0) return [];
  const message = `Removes a guard: ${changesText(lifted)}`;
  return [{ case: R02.cases.guardRemoved, paths: pathsOf(lifted), message }];
}

function reducedProtection({ type, leaves }: Subject): RuleMatch[] {
  const reduced = signsIn(REDUCTIONS, type, leaves);
  if (reduced.length === 0) return [];
  const message = `Reduces protection: ${changesText(reduced)}`;
  return [{ case: R02.cases.protectionReduced, paths: pathsOf(reduced), message }];
}

const LIFECYCLES = /_lifecycle_configuration$|_storage_management_policy$/;
/** Attributes that name the bucket or account of a lifecycle. */
const HOLDERS = ["bucket", "storage_account_id"];

/** Returns expiries of a new lifecycle for an existing bucket. If the bucket isn't known, the plan creates it. */
function newExpiries({ change: { after }, type }: Subject): RuleMatch[] {
  const isKnown = isObject(after) && HOLDERS.some((name) => typeof after[name] === "string");
  const paths = isKnown && LIFECYCLES.test(type) ? pathsOf(wholeExpiries(after)) : [];
  if (paths.length === 0) return [];
  const message = "Deletes every object in the bucket within days";
  return [{ case: R02.cases.protectionRemoved, paths, message }];
}

/** Checks whether the bucket versioning in this resource was off already. */
function isOff(before: Json): boolean {
  const [status] = textsOf(valueOf(before, ["versioning_configuration", 0, "status"]));
  return status !== undefined && status !== "Enabled";
}

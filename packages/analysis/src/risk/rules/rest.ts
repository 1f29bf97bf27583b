import { creates, deletes, replaces, updates } from "../../plan/model.ts";
import { attributesAt, forcedBy, isNewRevision, type Rule, type Subject } from "../sighting.ts";
import { isCosmetic } from "../telling.ts";
import { pathsOf } from "../turns.ts";
import { concernsStateful } from "../types.ts";

const MASTER =
  /(?:^|\.)(?:(?:master|root|admin|administrator|administrator_login|master_user|initial_user)_)?password(?:_wo)?$|(?:^|\.)(?:master_user_secret|auth_token|admin_password)$/;

/** A write-only attribute is in no plan: another version of it is all that shows. */
const WRITE_ONLY = /(?<=_wo)_(?:version|revision)$/;

/** R25 */
export const rotateSecret: Rule = ({ change, type, shown, leaves }) => {
  if (!updates(change)) return [];
  const secrets = leaves.filter(({ hidden, name }) => hidden || WRITE_ONLY.test(name));
  if (secrets.length === 0) return [];
  const isMaster =
    concernsStateful(type) && secrets.some(({ name }) => MASTER.test(name.replace(WRITE_ONLY, "")));
  const paths = pathsOf(secrets).slice(0, MOST_PATHS);
  const message = `A sensitive attribute of this ${shown} changes: ${attributesAt(paths)}.`;
  return [{ verdict: isMaster ? "masterSecretRotation" : "secretRotation", paths, message }];
};

const MOST_PATHS = 20;

/** R18, R20 and R23: of changes that no other rule speaks of. */
export const anythingElse: Rule = (subject) => {
  const { change, shown, leaves } = subject;
  if (isNewRevision(change)) {
    const message = `A new revision of this ${shown} takes the place of the one before${forcedBy(change)}.`;
    return [{ verdict: "newRevision", paths: [...change.replacePaths], message }];
  }
  if (deletes(change)) {
    const message = `This ${shown} ${fateOf(subject)}${forcedBy(change)}.`;
    return [{ verdict: "destroy", paths: [...change.replacePaths], message }];
  }
  if (creates(change)) return [{ verdict: "create", paths: [], message: `A new ${shown} is created.` }];
  const paths = pathsOf(leaves).slice(0, MOST_PATHS);
  const what = attributesAt(paths);
  const message = what
    ? `This ${shown} changes in ${what}.`
    : `This ${shown} changes in what can't be seen here.`;
  return [{ verdict: "update", paths, message }];
};

function fateOf({ change, outside }: Subject): string {
  if (outside) return "was deleted outside of the tool";
  return replaces(change) ? "is destroyed and created anew" : "is destroyed";
}

/** R21: an update of nothing but what tells people about the resource. */
export function cosmetic({ change, type, shown, leaves }: Subject): ReturnType<Rule> {
  if (!updates(change) || leaves.length === 0) return [];
  if (!leaves.every((leaf) => isCosmetic(type, leaf))) return [];
  const paths = pathsOf(leaves).slice(0, MOST_PATHS);
  return [
    { verdict: "cosmetic", paths, message: `Nothing of this ${shown} changes but ${attributesAt(paths)}.` },
  ];
}

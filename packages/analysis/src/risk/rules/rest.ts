import { creates, deletes, replaces, updates } from "../../plan/model.ts";
import type { Leaf } from "../leaves.ts";
import { attributesAt, destroying, forcedBy, type Rule, type Subject } from "../sighting.ts";
import { pathsOf } from "../turns.ts";
import { concernsStateful } from "../types.ts";

const MASTER =
  /(?:^|\.)(?:(?:master|root|admin|administrator|administrator_login|master_user|initial_user)_)?password(?:_wo)?$|(?:^|\.)(?:master_user_secret|auth_token|admin_password)$/;

/** R25 */
export const rotateSecret: Rule = ({ change, type, leaves }) => {
  if (!updates(change)) return [];
  const secrets = leaves.filter(({ hidden }) => hidden);
  if (secrets.length === 0) return [];
  const isMaster = concernsStateful(type) && secrets.some(({ name }) => MASTER.test(name));
  const paths = pathsOf(secrets).slice(0, MOST_PATHS);
  const message = `A sensitive attribute of this ${type} changes: ${attributesAt(paths)}.`;
  return [{ verdict: isMaster ? "masterSecretRotation" : "secretRotation", paths, message }];
};

const MOST_PATHS = 20;

/** R18, R20 and R23: of changes that no other rule speaks of. */
export const anythingElse: Rule = (subject) => {
  const { change, type, leaves } = subject;
  if (deletes(change)) {
    const rest = replaces(change) ? "means that it is deleted and created anew" : "takes it away";
    const paths = [...change.replacePaths];
    return [{ verdict: "destroy", paths, message: `${destroying(subject)} ${rest}${forcedBy(change)}.` }];
  }
  if (creates(change)) return [{ verdict: "create", paths: [], message: `A new ${type} is created.` }];
  const paths = pathsOf(leaves).slice(0, MOST_PATHS);
  const what = attributesAt(paths);
  const message = what
    ? `This ${type} changes in ${what}.`
    : `This ${type} changes in what can't be seen here.`;
  return [{ verdict: "update", paths, message }];
};

const COSMETIC = /^(?:tags|tags_all|tag|description|comment)(?:\.|$)|(?:^|\.)description$/;
/** Labels of Kubernetes select; those of Google Cloud only tell. */
const GOOGLE_LABELS = /^(?:labels|effective_labels|terraform_labels|user_labels)(?:\.|$)/;

/** R21: an update of nothing but what tells people about the resource. */
export function cosmetic({ change, type, leaves }: Subject): ReturnType<Rule> {
  const tells = ({ name, hidden }: Leaf): boolean =>
    !hidden && (COSMETIC.test(name) || (type.startsWith("google_") && GOOGLE_LABELS.test(name)));
  if (!updates(change) || leaves.length === 0 || !leaves.every(tells)) return [];
  const paths = pathsOf(leaves).slice(0, MOST_PATHS);
  return [{ verdict: "cosmetic", paths, message: `Only ${attributesAt(paths)} of this ${type} changes.` }];
}

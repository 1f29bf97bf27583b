import { updates } from "../../plan/model.ts";
import { attributesAt, type Rule } from "../sighting.ts";
import { pathsOf, signsIn } from "../turns.ts";
import { concernsStateful, DISRUPTIONS, isStateful, PROTECTIONS } from "../types.ts";

/** R02. That `prevent_destroy` goes is nothing that a plan shows. */
export const removeProtection: Rule = ({ change, type, leaves, besideDestroy }) => {
  if (!updates(change) || !concernsStateful(type)) return [];
  const paths = pathsOf(signsIn(PROTECTIONS, type, leaves));
  if (paths.length === 0) return [];
  const verdict = besideDestroy ? "protectionRemovedWithDestroy" : "protectionRemoved";
  const message = `The change of ${attributesAt(paths)} takes protection from the data of this ${type}.`;
  return [{ verdict, paths, message }];
};

/** R07 */
export const disruptStateful: Rule = ({ change, type, leaves }) => {
  if (!updates(change) || !isStateful(type)) return [];
  const paths = pathsOf(signsIn(DISRUPTIONS, type, leaves));
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} can restart this ${type}, or interrupt it.`;
  return [{ verdict: "statefulDisruptiveUpdate", paths, message }];
};

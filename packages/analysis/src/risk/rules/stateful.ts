import type { Json } from "@leeway/shared/json";

import { goesForGood, updates } from "../../plan/model.ts";
import { valueOf } from "../leaves.ts";
import { attributesAt, destroying, type Rule } from "../sighting.ts";
import { soonerExpiries } from "./expiries.ts";
import { pathsOf, signsIn, textsOf } from "../turns.ts";
import {
  concernsStateful,
  DISRUPTIONS,
  isCluster,
  isProtectionSetting,
  isStateful,
  PROTECTIONS,
} from "../types.ts";

/** R02. That `prevent_destroy` goes is nothing that a plan shows. */
export const removeProtection: Rule = (subject) => {
  const { change, type, shown, leaves, besideDestroy } = subject;
  const verdict = besideDestroy ? "protectionRemovedWithDestroy" : "protectionRemoved";
  if (goesForGood(change) && isProtectionSetting(type) && !isOff(change.before)) {
    return [{ verdict, paths: [], message: `${destroying(subject)} takes protection from data.` }];
  }
  if (!updates(change) || !concernsStateful(type)) return [];
  const paths = pathsOf([...signsIn(PROTECTIONS, type, leaves), ...soonerExpiries(change)]);
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} takes protection from the data of this ${shown}.`;
  return [{ verdict, paths, message }];
};

/** Of a bucket's versioning, that goes with its resource. */
function isOff(before: Json): boolean {
  const [status] = textsOf(valueOf(before, ["versioning_configuration", 0, "status"]));
  return status !== undefined && status !== "Enabled";
}

/** R07 */
export const disruptStateful: Rule = ({ change, type, shown, leaves }) => {
  if (!updates(change) || !(isStateful(type) || isCluster(type))) return [];
  const paths = pathsOf(signsIn(DISRUPTIONS, type, leaves));
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} can restart this ${shown}, or interrupt it.`;
  return [{ verdict: "statefulDisruptiveUpdate", paths, message }];
};

import { creates, deletes, goesForGood } from "../../plan/model.ts";
import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { attributesAt, type Rule, type Subject } from "../sighting.ts";
import { turnedOff } from "../switches.ts";
import { pathsOf, signsIn } from "../turns.ts";
import {
  AUDIT_SWITCHES,
  AUDITING,
  ENCRYPTION,
  ENCRYPTION_SWITCHES,
  isAudit,
  isEncryptionSetting,
  type SignTest,
} from "../types.ts";

/** R13 */
export const weakenEncryption: Rule = (subject) => {
  const { change, type, shown } = subject;
  if (goesForGood(change) && isEncryptionSetting(type)) {
    return [
      { verdict: "encryptionWeakened", paths: [], message: `Deleting this ${shown} takes encryption away.` },
    ];
  }
  const paths = weakenedIn(ENCRYPTION, ENCRYPTION_SWITCHES, subject);
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} weakens the encryption of this ${shown}.`;
  return [{ verdict: "encryptionWeakened", paths, message }];
};

/** R14 */
export const weakenAudit: Rule = (subject) => {
  const { change, type, shown } = subject;
  if (goesForGood(change) && isAudit(type)) {
    return [
      {
        verdict: "auditWeakened",
        paths: [],
        message: `Deleting this ${shown} ends what it records or watches.`,
      },
    ];
  }
  const paths = weakenedIn(AUDITING, AUDIT_SWITCHES, subject);
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} in this ${shown} means that less is recorded or watched.`;
  return [{ verdict: "auditWeakened", paths, message }];
};

/** What is new has nothing yet that could be weakened. */
function weakenedIn(
  signs: readonly SignTest[],
  switches: Parameters<typeof turnedOff>[0],
  { change, type, leaves }: Subject,
): Path[] {
  if (creates(change) && !deletes(change)) return [];
  return pathsOf([...signsIn(signs, type, leaves), ...turnedOff(switches, type, change)]);
}

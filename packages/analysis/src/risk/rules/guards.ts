import { creates, deletes } from "../../plan/model.ts";
import { attributesAt, type Rule } from "../sighting.ts";
import { pathsOf, signsIn } from "../turns.ts";
import { AUDITING, ENCRYPTION, isAudit, isEncryptionSetting } from "../types.ts";

/** R13 */
export const weakenEncryption: Rule = ({ change, type, leaves }) => {
  if (deletes(change) && !creates(change) && isEncryptionSetting(type)) {
    return [
      { verdict: "encryptionWeakened", paths: [], message: `Deleting this ${type} takes encryption away.` },
    ];
  }
  const paths = pathsOf(signsIn(ENCRYPTION, type, leaves));
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} weakens the encryption of this ${type}.`;
  return [{ verdict: "encryptionWeakened", paths, message }];
};

/** R14 */
export const weakenAudit: Rule = ({ change, type, leaves }) => {
  if (deletes(change) && !creates(change) && isAudit(type)) {
    return [
      {
        verdict: "auditWeakened",
        paths: [],
        message: `Deleting this ${type} ends what it records or watches.`,
      },
    ];
  }
  const paths = pathsOf(signsIn(AUDITING, type, leaves));
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} in this ${type} means that less is recorded or watched.`;
  return [{ verdict: "auditWeakened", paths, message }];
};

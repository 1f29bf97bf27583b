import { isObject, text } from "@leeway/shared/values/json";

import { creates, deletes, type ResourceChange } from "../../plan/model.ts";
import { textsOf } from "../attribute-values.ts";
import { destroyed } from "../deletions.ts";
import { pathsOf, valueOf } from "../../plan/leaves.ts";
import { lossOf } from "../loss.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import { isNewRevision, type Subject } from "../subject.ts";
import { KEY_DISABLING } from "../types.ts";
import { changesText } from "../values.ts";

export const R03 = {
  id: "R03",
  title: "Keys or secrets are destroyed",
  why: "Data encrypted with the key can no longer be read, and readers of the secret fail.",
  check: "List what is encrypted with the key or reads the secret, and move it first.",
  cases: {
    destroyed: {
      flag: "destroy_key_material",
      when: "encryption keys, key vaults, secrets stores and buckets of states that are destroyed or replaced",
      standard: "critical",
      lenient: "critical",
      neverHidden: true,
    },
    disabled: {
      flag: "key_disabled",
      when: "an encryption key that is disabled",
      standard: "high",
      lenient: "high",
      neverHidden: true,
    },
  },
  example: { address: "aws_kms_key.invoices", actions: ["delete"], before: { description: "invoices" } },
  isLoss: true,
  replaces: { rules: ["R01"], on: "change" },
  find: (subject) => (deletes(subject.change) ? destroyedKeys(subject) : disabledKeys(subject)),
} satisfies Rule;

function destroyedKeys(subject: Subject): RuleMatch[] {
  const loss = keyLoss(subject);
  return loss === undefined ? [] : [destroyed(subject, R03.cases.destroyed, loss)];
}

function disabledKeys({ change, type, what, leaves }: Subject): RuleMatch[] {
  const disabling = creates(change) ? [] : signsIn(KEY_DISABLING, type, leaves);
  if (disabling.length === 0) return [];
  const message = `Disables ${what} (${changesText(disabling)}): ${KEY_LOSS}`;
  return [{ case: R03.cases.disabled, paths: pathsOf(disabling), message }];
}

/** Describes the loss of a key, a secret or a state; undefined if the resource holds none. */
function keyLoss(subject: Subject): string | undefined {
  const { change, type } = subject;
  if (lossOf(type, change.before) === "key_material" && !isNextVersion(change))
    return LOSSES.find(([types]) => types.test(type))?.[1] ?? KEY_LOSS;
  return isStateBucket(subject) ? "it looks like the storage of Terraform states" : undefined;
}

const KEY_LOSS = "everything encrypted with it becomes unreadable";
const LOSSES: readonly (readonly [RegExp, string])[] = [
  [/key_vault$|hardware_security_module$|hsm|^vault_mount$/, "its keys and secrets are lost"],
  [/certificate/, "the certificate and its key are lost"],
  [/secret|parameter|_kv_/, "the secret is lost, and whatever reads it fails"],
];

/** Checks whether a secret version is replaced by the next version of the same secret. */
function isNextVersion(change: ResourceChange): boolean {
  const [was, is] = [change.before, change.after].map((side) => textsOf(valueOf(side, ["secret"])).join());
  return isNewRevision(change) && was === is;
}

const STATE_BUCKETS = /^(?:aws_s3_bucket|google_storage_bucket|azurerm_storage_(?:container|account))$/;
const STATE_NAME =
  /(?:^|[^a-z])(?:tf|terraform|tofu|opentofu|pulumi)[-_.]?(?:remote[-_.]?)?states?(?:[^a-z]|$)/;

function isStateBucket({ change: { before }, type }: Subject): boolean {
  if (!STATE_BUCKETS.test(type) || !isObject(before)) return false;
  const name = text(before, "bucket") ?? text(before, "bucket_name") ?? text(before, "name") ?? "";
  return STATE_NAME.test(name.toLowerCase());
}

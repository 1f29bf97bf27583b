import { goesForGood } from "../../plan/model.ts";
import { destroying } from "../deletions.ts";
import { pathsOf, type Leaf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import { isNew, type Subject } from "../subject.ts";
import { weakenedIn } from "../switches.ts";
import {
  CREATED_PLAIN,
  CREATED_UNENCRYPTED,
  ENCRYPTION,
  ENCRYPTION_SWITCHES,
  isEncryptionSetting,
  KEY_MANAGEMENT,
} from "../types.ts";
import { changesText, listed } from "../values.ts";

export const R13 = {
  id: "R13",
  title: "Encryption is weakened",
  why: "Data can be read at rest or in transit.",
  check: "Keep it encrypted, or document why it doesn't need to be.",
  cases: {
    weakened: {
      flag: "encryption_weakened",
      when: "encryption at rest or in transit that is turned off, a lower version of TLS, or a new resource that takes plain HTTP",
      standard: "high",
      lenient: "medium",
    },
    unencrypted: {
      flag: "unencrypted",
      when: "a new volume or database without encryption at rest, or a new web app that accepts HTTP",
      standard: "medium",
      lenient: "low",
    },
    keyManagement: {
      flag: "key_management_weakened",
      when: "encryption that goes on without one's own key, or keys that are no longer rotated",
      standard: "medium",
      lenient: "low",
    },
  },
  example: {
    address: "azurerm_storage_account.exports",
    actions: ["update"],
    before: { min_tls_version: "TLS1_2" },
    after: { min_tls_version: "TLS1_0" },
  },
  replaces: { rules: ["R08", "R12", "R15"], on: "attributes" },
  find: weakenedEncryption,
} satisfies Rule;

function weakenedEncryption(subject: Subject): RuleMatch[] {
  const { change, type, leaves } = subject;
  if (goesForGood(change) && isEncryptionSetting(type)) {
    const message = `${destroying(subject)}: its encryption settings no longer apply`;
    return [{ case: R13.cases.weakened, paths: [], message }];
  }
  if (isNew(change)) return newPlainText(subject);
  const weakened = weakenedIn(ENCRYPTION, ENCRYPTION_SWITCHES, subject);
  if (weakened.length > 0) {
    const message = `Weakens encryption: ${changesText(weakened)}`;
    return [{ case: R13.cases.weakened, paths: pathsOf(weakened), message }];
  }
  const loosened = signsIn(KEY_MANAGEMENT, type, leaves);
  if (loosened.length === 0) return [];
  const message = `Weakens key management: ${changesText(loosened)}`;
  return [{ case: R13.cases.keyManagement, paths: pathsOf(loosened), message }];
}

function newPlainText({ type, leaves }: Subject): RuleMatch[] {
  const plain = signsIn(CREATED_PLAIN, type, leaves);
  if (plain.length > 0) {
    const message = `Accepts plain HTTP: ${namesText(plain)}`;
    return [{ case: R13.cases.weakened, paths: pathsOf(plain), message }];
  }
  const bare = signsIn(CREATED_UNENCRYPTED, type, leaves);
  if (bare.length === 0) return [];
  const message = `Creates it unencrypted: ${namesText(bare)}`;
  return [{ case: R13.cases.unencrypted, paths: pathsOf(bare), message }];
}

function namesText(leaves: readonly Leaf[]): string {
  return listed(leaves.map(({ name, after }) => `${name} is ${String(after === true)}`));
}

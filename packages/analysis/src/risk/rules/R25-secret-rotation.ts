import { updates } from "../../plan/model.ts";
import { firstPathsOf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { concernsStateful } from "../types.ts";
import { listed, shown } from "../values.ts";

export const R25 = {
  id: "R25",
  title: "A secret changes",
  why: "Clients that still use the old secret are locked out.",
  check: "Make sure that every client gets the new one.",
  cases: {
    changed: {
      flag: "secret_rotation",
      when: "an update of a sensitive attribute, whose value is masked, or of the version of a write-only one",
      standard: "low",
      lenient: "low",
    },
    master: {
      flag: "secret_rotation",
      when: "the same of the master credentials of a database",
      standard: "medium",
      lenient: "medium",
    },
  },
  example: {
    address: "aws_db_instance.orders",
    actions: ["update"],
    before: { password: "before" },
    after: { password: "after" },
  },
  interprets: false,
  find: changedSecrets,
} satisfies Rule;

function changedSecrets({ change, type, leaves }: Subject): RuleMatch[] {
  if (!updates(change)) return [];
  const secrets = leaves.filter(({ hidden, name }) => hidden || WRITE_ONLY.test(name));
  if (secrets.length === 0) return [];
  const isMaster =
    concernsStateful(type) && secrets.some(({ name }) => MASTER.test(name.replace(WRITE_ONLY, "")));
  const paths = firstPathsOf(secrets);
  const message = `Changes a secret: ${listed([...new Set(secrets.map(({ name }) => shown(name)))])}`;
  return [{ case: isMaster ? R25.cases.master : R25.cases.changed, paths, message }];
}

const MASTER =
  /(?:^|\.)(?:(?:master|root|admin|administrator|administrator_login|master_user|initial_user)_)?password(?:_wo)?$|(?:^|\.)(?:master_user_secret|auth_token|admin_password)$/;

/** A write-only attribute isn't in the plan; only its version number shows a change. */
const WRITE_ONLY = /(?<=_wo)_(?:version|revision)$/;

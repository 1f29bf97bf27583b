import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";

import { code, list } from "../fix/phrases.ts";

/** A change of a declared resource. */
interface Reverted {
  address: string;
  kind: DriftKind;
  changes: readonly AttributeChange[];
  /** Changed attributes that can't be changed in place; see `replacingIn` in `@leeway/drift/settable`. */
  replacing: readonly string[];
}

/** How to restore what the code says. */
export interface Revert {
  commands: string[];
  expected: { address: string; actions: string[]; attribute_changes: AttributeChange[] };
  explanation: string;
}

/**
 * Returns the commands that revert a change of a declared resource, and the plan that they should show.
 * @param dir folder of the code; empty for the root of the repository
 */
export function revert({ address, kind, changes, replacing }: Reverted, dir: string): Revert {
  const terraform = dir === "" ? "terraform" : `terraform -chdir=${quoted(dir)}`;
  const isMissing = kind === "missing";
  const reversed = changes.map((change) => ({
    ...change,
    before: change.after,
    after: change.before,
    before_sensitive: change.after_sensitive,
    after_sensitive: change.before_sensitive,
  }));
  return {
    commands: [
      `${terraform} plan -target=${quoted(address)} -out=leeway.tfplan`,
      `${terraform} apply leeway.tfplan`,
    ],
    expected: {
      address,
      actions: isMissing ? ["create"] : replacing.length > 0 ? ["delete", "create"] : ["update"],
      attribute_changes: isMissing ? [] : reversed,
    },
    explanation: isMissing
      ? `the plan should create ${code(address)} again, and change nothing else. Data of the old resource isn't restored`
      : explanationOf(code(address), replacing.map(code)),
  };
}

function explanationOf(address: string, replacing: readonly string[]): string {
  if (replacing.length === 0)
    return `the plan should change ${address} back to what the code says, and nothing else. Stop if it replaces the resource`;
  return `the plan will probably replace ${address}, because ${list(replacing)} can't be changed in place. That deletes its data: save the data first, or accept the change instead`;
}

/** Quotes a word for a POSIX shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

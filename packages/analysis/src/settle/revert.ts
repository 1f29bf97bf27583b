import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";

import { code } from "../fix/phrases.ts";

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
export function revert(
  { address, kind, changes }: { address: string; kind: DriftKind; changes: readonly AttributeChange[] },
  dir: string,
): Revert {
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
      actions: [isMissing ? "create" : "update"],
      attribute_changes: isMissing ? [] : reversed,
    },
    explanation: isMissing
      ? `the plan should create ${code(address)} again, and change nothing else. Data of the old resource isn't restored`
      : `the plan should change ${code(address)} back to what the code says, and nothing else. Stop if it replaces the resource`,
  };
}

/** Quotes a word for a POSIX shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

import type { SettledCode } from "@leeway/analysis/settle/settle";
import type { CodeFile } from "@leeway/shared/contracts/webhooks/code";

import { adoptInto, type Adopted } from "./adopt-into.ts";
import { settleInCode, toSettle, type CodeAt } from "./in-code.ts";
import type { DeclaredChange, SettleDependencies } from "./source.ts";
import type { StoredSettlement } from "./store.ts";

/** A decision about a change that an account has now. */
export interface Decided extends StoredSettlement {
  declared: DeclaredChange;
}

interface SettledAll extends Pick<SettledCode, "files"> {
  /** New files. */
  added: readonly CodeFile[];
  /** Outcomes by the fingerprints of the changes. */
  outcomes: ReadonlyMap<string, Adopted>;
}

/** Settles the changes of a source: declared resources in its files, undeclared ones in a new file. */
export async function settleAll(
  deps: SettleDependencies,
  at: CodeAt,
  decided: readonly Decided[],
): Promise<SettledAll> {
  const edited = decided.flatMap(({ declared, how }) =>
    how === "adopt" ? [] : [{ declared, change: toSettle(declared, how) }],
  );
  const code = await settleInCode(
    deps,
    at,
    edited.map(({ change }) => change),
  );
  const outcomes = new Map<string, Adopted>();
  for (const [index, { declared }] of edited.entries()) {
    const outcome = code.outcomes[index];
    if (outcome) outcomes.set(declared.change.fingerprint, outcome);
  }
  const resources = new Map(
    decided.flatMap(({ declared: { change }, how }) =>
      how === "adopt" && change.live_resource_id !== undefined
        ? [[change.live_resource_id, change.fingerprint] as const]
        : [],
    ),
  );
  const adopted = await adoptInto(deps.bus, at, [...resources.keys()]);
  for (const [id, fingerprint] of resources) {
    const outcome = adopted.outcomes.get(id);
    if (outcome) outcomes.set(fingerprint, outcome);
  }
  return { files: code.files, added: adopted.file ? [adopted.file] : [], outcomes };
}

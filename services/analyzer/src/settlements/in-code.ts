import type { ChangeToSettle, SettledCode } from "@leeway/analysis/settle/settle";

import type { CodeSource, DeclaredChange, ReadFolder, SettleDependencies } from "./source.ts";

export type InCode = "accept" | "forget";

/** Returns a change as the engine settles it. */
export function toSettle({ change, settable }: DeclaredChange, how: InCode): ChangeToSettle {
  const { address = "", resource_type: type, attribute_changes: attributeChanges } = change;
  return { how, address, type, attributeChanges, settable };
}

/** Files of a source's folder. */
export interface CodeAt {
  orgId: string;
  source: CodeSource;
  folder: Extract<ReadFolder, { commit: string }>;
}

/** Settles changes in the files of a folder, in a thread. */
export function settleInCode(
  { reader }: Pick<SettleDependencies, "reader">,
  { orgId, source, folder }: CodeAt,
  changes: readonly ChangeToSettle[],
): Promise<SettledCode> {
  const sources = folder.files.map(({ path, text: hcl }) => ({ path, hcl }));
  return reader.settle(orgId, {
    sources: JSON.stringify(sources),
    dir: source.repository.dir ?? "",
    changes,
  });
}

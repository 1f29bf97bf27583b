import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";
import { applyPatch, parsePatch } from "diff";

import { settle, type ChangeToSettle, type Settled } from "./settle.ts";

/** Returns a change of an attribute from the declared to the live value. */
export function attribute(
  path: AttributeChange["path"],
  before: Json,
  after: Json,
  rest: Partial<AttributeChange> = {},
): AttributeChange {
  return { path, before, after, before_sensitive: false, after_sensitive: false, unknown: false, ...rest };
}

/** Returns a change of `aws_thing.a` to accept. */
export function accepting(
  attributeChanges: readonly AttributeChange[],
  rest: Partial<ChangeToSettle> = {},
): ChangeToSettle {
  return {
    how: "accept",
    address: "aws_thing.a",
    type: "aws_thing",
    attributeChanges,
    settable: [],
    ...rest,
  };
}

/** Returns the outcomes, and the files after the patch. Checks that the patch gives the files of the answer. */
export async function settled(
  files: Readonly<Record<string, string>>,
  changes: readonly ChangeToSettle[],
  dir = "",
): Promise<{ outcomes: readonly Settled[]; files: Record<string, string>; patch: string }> {
  const sources = Object.entries(files).map(([path, hcl]) => ({ path, hcl }));
  const { patch, files: changed, outcomes } = await settle({ sources, dir, changes });
  const patched: Record<string, string> = { ...files };
  for (const part of patch === "" ? [] : parsePatch(patch)) {
    const path = part.newFileName?.replace(/^b\//, "") ?? "";
    const result = applyPatch(files[path] ?? "", part, { autoConvertLineEndings: false });
    if (result === false) throw new Error(`the patch of ${path} doesn't apply:\n${patch}`);
    patched[path] = result;
  }
  for (const { path, text } of changed)
    if (patched[path] !== text) throw new Error(`the patch of ${path} gives another text:\n${patch}`);
  return { outcomes, files: patched, patch };
}

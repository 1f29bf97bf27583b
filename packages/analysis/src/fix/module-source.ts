import { posix } from "node:path";

import { attributeNamed, bodyOf, type Block } from "./hcl/body.ts";
import { literalOf } from "./hcl/literal.ts";

/** Returns the source of a module call; undefined if it is an expression. */
export function sourceOf(call: Block): string | undefined {
  const source = attributeNamed(bodyOf(call.node), "source");
  const value = source && literalOf(source.value);
  return typeof value === "string" ? value : undefined;
}

/** Returns the directory of a module with a relative source, called from `directory`; undefined for others. */
export function localDirectory(directory: string, source: string | undefined): string | undefined {
  if (source === undefined || !/^\.\.?(?:\/|$)/.test(source)) return undefined;
  return posix.join(directory, source).replace(/(?<=.)\/$/, "");
}

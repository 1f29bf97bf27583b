import { documentOf, isFixedBy, type Documents, type ProviderDocuments } from "./documents.ts";
import type { Joined } from "./join.ts";
import type { Argument } from "./schema.ts";

/** A type and the arguments that it takes. */
interface Type {
  type: string;
  args: readonly Argument[];
}

/** Marks the attributes whose documentation says that another value needs another resource. */
export function withFixed(
  found: readonly Joined[],
  { type, args }: Type,
  documents: ProviderDocuments,
): Joined[] {
  const fixed = new Set(fixedIn(documents.blocks, args, documents.types.get(type)?.members, ""));
  return found.map((one) => (fixed.has(one.attribute) ? { ...one, isFixed: true } : one));
}

/** @param within path of the block around the arguments, with a dot at the end */
function fixedIn(
  blocks: ProviderDocuments["blocks"],
  args: readonly Argument[],
  members: Documents | undefined,
  within: string,
): string[] {
  return args.flatMap((argument) => {
    const known = documentOf(argument, members);
    if (known === undefined) return [];
    const path = within + argument.name;
    const inner = known.block === undefined ? undefined : blocks.get(known.block);
    return [...(isFixedBy(known.text) ? [path] : []), ...fixedIn(blocks, argument.inner, inner, `${path}.`)];
  });
}

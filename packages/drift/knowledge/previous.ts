import type { Joined } from "./join.ts";
import type { Argument } from "./schema.ts";

/** A type's arguments and their counterparts, by one version of the provider. */
export interface Version {
  args: readonly Argument[];
  found: readonly Joined[];
}

/**
 * Adds counterparts of arguments that only the previous major version has, because states of older configurations
 * contain them.
 * @param secrets names of arguments that the newest version marks as sensitive in any type; they aren't added
 */
export function withPrevious(newest: Version, previous: Version, secrets: ReadonlySet<string>): Joined[] {
  const current = new Set(pathsOf(newest.args));
  const known = new Map(newest.found.map((one) => [one.attribute, one]));
  const blocks = new Map(previous.found.map((one) => [one.attribute, one]));
  const isNew = ({ attribute }: Joined): boolean =>
    !current.has(attribute) && !attribute.split(".").some((step) => secrets.has(step));
  /** A path is relative to the nearest block around it, which must be the same in both versions. */
  const isPlaced = ({ attribute }: Joined): boolean => {
    const block = around(attribute).find((path) => blocks.has(path));
    if (block === undefined) return !around(attribute).some((path) => known.has(path));
    return !current.has(block) || known.get(block)?.live === blocks.get(block)?.live;
  };
  return [...newest.found, ...previous.found.filter((one) => isNew(one) && isPlaced(one))];
}

/** Returns the paths of the blocks around an attribute, the nearest first. */
function around(attribute: string): string[] {
  const steps = attribute.split(".");
  return steps
    .slice(1)
    .map((_, index) => steps.slice(0, index + 1).join("."))
    .toReversed();
}

function pathsOf(args: readonly Argument[], within = ""): string[] {
  return args.flatMap(({ name, inner }) => [within + name, ...pathsOf(inner, `${within}${name}.`)]);
}

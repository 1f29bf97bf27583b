import { valuesOf, type Several } from "@leeway/shared/contracts/several";
import type { Statements } from "@leeway/shared/database/database";

const nothing = ({ part }: Statements) => part``;
export type Part = ReturnType<typeof nothing>;

/** Condition that begins with `and`: one of the filter's values fits, and none of those that it leaves out. */
export function andChosen(
  { part }: Statements,
  given: Several | undefined,
  fits: (value: string) => Part,
): Part {
  if (given === undefined) return part``;
  const { wanted, unwanted } = valuesOf(given);
  const any = wanted
    .map(fits)
    .reduce<Part | undefined>((sum, one) => (sum ? part`${sum} or ${one}` : one), undefined);
  const none = unwanted.reduce((sum, value) => part`${sum} and (${fits(value)}) is not true`, part``);
  return part`${any ? part`and (${any})` : part``} ${none}`;
}

/**
 * Condition for tags, as JSON text, that have a tag such as `team=data`, or such as `team` with any value.
 */
export function tagged({ part }: Statements, tags: Part, tag: string): Part {
  const at = tag.indexOf("=", 1);
  const [key, value] = at === -1 ? [tag] : [tag.slice(0, at), tag.slice(at + 1)];
  const found = part`${tags}::jsonb ->> ${key}::text`;
  return value === undefined ? part`${found} is not null` : part`${found} = ${value}::text`;
}

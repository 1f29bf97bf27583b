import { isDeepStrictEqual } from "node:util";

import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

type Path = (string | number)[];

/** A value before and after a change; undefined where it is absent. */
interface Pair {
  before: Json | undefined;
  after: Json | undefined;
}

/**
 * Paths, as in `replace_paths`, at which a resource changes although what is sent of it reads the same before and
 * after: what changes was masked or left out. Empty for what is created or deleted.
 */
export function hiddenChanges(source: JsonObject, sent: JsonObject): Path[] {
  const { before, after } = source;
  if (!isObject(before) || !isObject(after)) return [];
  const shown = { before: sent["before"] ?? {}, after: sent["after"] ?? {} };
  return [...walk({ before, after }, shown, [])];
}

function* walk(source: Pair, sent: Pair, path: Path): Generator<Path> {
  if (isDeepStrictEqual(source.before, source.after)) return;
  if (isTwoOfAKind(source) && isTwoOfAKind(sent)) {
    for (const step of stepsOf(source)) yield* walk(below(source, step), below(sent, step), [...path, step]);
  } else if (isDeepStrictEqual(sent.before, sent.after)) {
    yield path;
  }
}

/** Whether both sides can be compared part by part. */
function isTwoOfAKind({ before, after }: Pair): boolean {
  return (isObject(before) && isObject(after)) || (Array.isArray(before) && Array.isArray(after));
}

function stepsOf({ before, after }: Pair): Path {
  if (Array.isArray(before) && Array.isArray(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
  }
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

function below({ before, after }: Pair, step: string | number): Pair {
  return { before: at(before, step), after: at(after, step) };
}

function at(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

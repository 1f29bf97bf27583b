import { isObject, sameJson, type Json, type JsonObject } from "@leeway/shared/values/json";
import { redactText } from "@leeway/shared/security/redaction/redact";
import { isLong } from "./long-path.ts";

const MAX_PATHS = 1000;
const LONGEST_PATH = 200;

type Path = (string | number)[];

/** A value before and after a change; undefined if absent. */
interface Pair {
  before: Json | undefined;
  after: Json | undefined;
}

/**
 * Returns the paths (as in `replace_paths`) of changes that masking or pruning hid: the sent values look equal. At
 * most 1,000, starting with paths already listed in the source's `leeway_changed`. Empty for created or deleted
 * resources.
 */
export function hiddenChanges(source: JsonObject, sent: JsonObject): Path[] {
  const distinct = new Map<string, Path>();
  for (const given of pathsIn(source, sent)) {
    const path = withoutSecrets(given);
    distinct.set(JSON.stringify(path), path);
    if (distinct.size === MAX_PATHS) break;
  }
  return [...distinct.values()];
}

function* pathsIn(source: JsonObject, sent: JsonObject): Generator<Path> {
  yield* listedPaths(source);
  yield* hiddenPaths(source, sent);
}

/** Returns the paths listed by an earlier masking, which saw more of the plan. */
function listedPaths({ leeway_changed: listed }: JsonObject): Path[] {
  return Array.isArray(listed) ? listed.filter(isPath) : [];
}

function isPath(value: Json): value is Path {
  return Array.isArray(value) && value.length <= LONGEST_PATH && value.every(isStep);
}

function isStep(value: Json): boolean {
  return typeof value === "string" || (Number.isSafeInteger(value) && Number(value) >= 0);
}

/** Redacts path steps, because names sometimes contain tokens. */
function withoutSecrets(path: Path): Path {
  return path.map((step) => (typeof step === "string" ? redactText(step) : step));
}

function* hiddenPaths({ before, after }: JsonObject, sent: JsonObject): Generator<Path> {
  if (!isObject(before) || !isObject(after)) return;
  // Masking returns the same object for both sides if they are equal.
  if (isObject(sent["before"]) && sent["before"] === sent["after"]) return;
  if (sameJson(before, after)) return;
  const shown = { before: sent["before"] ?? {}, after: sent["after"] ?? {} };
  yield* walk({ before, after }, shown, []);
}

function* walk(source: Pair, sent: Pair, path: Path): Generator<Path> {
  if (isTwoOfAKind(source) && isTwoOfAKind(sent) && !isLong(path)) {
    for (const step of stepsOf(source)) {
      const inner = below(source, step);
      if (inner.before !== inner.after) yield* walk(inner, below(sent, step), [...path, step]);
    }
  } else if (sameJson(sent.before, sent.after) && !sameJson(source.before, source.after)) {
    yield path;
  }
}

/** Checks whether both sides can be compared part by part. */
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

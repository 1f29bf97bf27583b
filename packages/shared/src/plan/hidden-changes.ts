import { isObject, sameJson, type Json, type JsonObject } from "../json.ts";
import { redactText } from "../redaction/redact.ts";
import { isLong } from "./long-path.ts";

const MOST_PATHS = 1000;
const LONGEST_PATH = 200;

type Path = (string | number)[];

/** A value before and after a change; undefined where it is absent. */
interface Pair {
  before: Json | undefined;
  after: Json | undefined;
}

/**
 * Paths, as in `replace_paths`, at which a resource changes although what is sent of it reads the same before and
 * after: what changes was masked or left out. Those that `source` itself names in `leeway_changed` come first; at most
 * 1,000. Empty for what is created or deleted.
 */
export function hiddenChanges(source: JsonObject, sent: JsonObject): Path[] {
  const paths = [...toldPaths(source), ...hiddenPaths(source, sent)].map(withoutSecrets);
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...distinct.values()].slice(0, MOST_PATHS);
}

/** What masked the plan before knew more. */
function toldPaths({ leeway_changed: told }: JsonObject): Path[] {
  return Array.isArray(told) ? told.filter(isPath) : [];
}

function isPath(value: Json): value is Path {
  return Array.isArray(value) && value.length <= LONGEST_PATH && value.every(isStep);
}

function isStep(value: Json): boolean {
  return typeof value === "string" || (Number.isSafeInteger(value) && Number(value) >= 0);
}

/** Names hold tokens at times. */
function withoutSecrets(path: Path): Path {
  return path.map((step) => (typeof step === "string" ? redactText(step) : step));
}

function hiddenPaths({ before, after }: JsonObject, sent: JsonObject): Path[] {
  if (!isObject(before) || !isObject(after)) return [];
  // One object for both sides is what masking makes of sides that are the same.
  if (isObject(sent["before"]) && sent["before"] === sent["after"]) return [];
  if (sameJson(before, after)) return [];
  const shown = { before: sent["before"] ?? {}, after: sent["after"] ?? {} };
  return [...walk({ before, after }, shown, [])];
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

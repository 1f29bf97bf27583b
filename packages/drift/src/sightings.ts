import type { JsonObject } from "@leeway/shared/values/json";

/** Largest share of the attributes that can be removed at once. More are missing from an answer of another kind. */
const MAX_GONE = 0.25;

/** Attributes in one answer of a cloud. */
export interface Answer {
  /** Kind of the answer. Answers of another kind may contain other attributes. */
  kind: string;
  names: ReadonlySet<string>;
}

/** Attributes that a live resource has shown, as text to be stored: the kind of the answers, then the names. */
export interface Sightings {
  text: string;
  /** Attributes that earlier answers of the same kind contained and this one doesn't. */
  gone: readonly string[];
}

/** Adds an answer to the attributes that a resource has shown before. */
export function sightingsOf(earlier: string | undefined, { kind, names }: Answer): Sightings {
  const [earlierKind, ...earlierNames] = earlier?.split(" ") ?? [];
  if (earlierKind !== kind) return { text: [kind, ...names].join(" "), gone: [] };
  const missing = new Set(earlierNames.filter((name) => !names.has(name)));
  // A block that is missing contains what is missing in it.
  const gone = [...missing].filter((name) => !blocksAround(name).some((block) => missing.has(block)));
  const all = [...new Set([...earlierNames, ...names])].toSorted().join(" ");
  const isSame = gone.length <= Math.max(1, MAX_GONE * earlierNames.length);
  return { text: `${kind} ${all}`, gone: isSame ? gone : [] };
}

function blocksAround(name: string): string[] {
  const steps = name.split(".");
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("."));
}

/** Returns the kind of an answer: where it comes from, and how it spells its members. */
export function kindOf(properties: JsonObject, isRead: boolean): string {
  const [name = ""] = Object.keys(properties);
  return `${isRead ? "read" : "listed"}${/^[A-Z]/.test(name) ? "Upper" : "Lower"}`;
}

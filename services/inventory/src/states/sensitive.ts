import { isObject, members, type Json, type JsonObject } from "@leeway/shared/json";

type Path = (string | number)[];

/** Attributes that a state of version 4 marks: `sensitive_attributes`, whose paths are lists of steps. */
export function markedPaths(marks: Json | undefined): Path[] {
  if (!Array.isArray(marks)) return [];
  return marks.map((steps) => members({ steps }, "steps").map(stepOf));
}

/** A name or an index; what stands for an item of a set leads to nothing, so that all of the set is marked. */
function stepOf({ value = null }: JsonObject): string | number {
  const step = isObject(value) ? (value["value"] ?? null) : value;
  return typeof step === "string" || typeof step === "number" ? step : "";
}

/** The same of `sensitive_values`, which has the shape of the values down to `true` for what is sensitive. */
export function shapedPaths(mask: Json | undefined): Path[] {
  if (mask === true) return [[]];
  const entries: [string | number, Json][] = Array.isArray(mask)
    ? [...mask.entries()]
    : Object.entries(isObject(mask) ? mask : {});
  return entries.flatMap(([step, inner]) => shapedPaths(inner).map((path) => [step, ...path]));
}

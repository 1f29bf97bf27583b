import { isObject, members, type Json, type JsonObject } from "@leeway/shared/values/json";

type Path = (string | number)[];

/** Returns the paths in `sensitive_attributes` of a state, version 4. Each is a list of steps. */
export function markedPaths(marks: Json | undefined): Path[] {
  if (!Array.isArray(marks)) return [];
  return marks.map((steps) => members({ steps }, "steps").map(stepOf));
}

/** Returns a name or an index. A step to an item of a set leads nowhere, so that the whole set is marked. */
function stepOf({ value = null }: JsonObject): string | number {
  const step = isObject(value) ? (value["value"] ?? null) : value;
  return typeof step === "string" || typeof step === "number" ? step : "";
}

/** Returns the paths in `sensitive_values`, which mirrors the shape of the values and has `true` for sensitive ones. */
export function shapedPaths(mask: Json | undefined): Path[] {
  const found: Path[] = [];
  follow(mask, [], found);
  return found;
}

/** @param path the steps to `mask`; reused between calls, and copied for results */
function follow(mask: Json | undefined, path: Path, found: Path[]): void {
  if (mask === true) return void found.push([...path]);
  if (typeof mask !== "object" || mask === null) return;
  const entries = Array.isArray(mask) ? mask.entries() : Object.entries(mask);
  for (const [step, inner] of entries) {
    path.push(step);
    follow(inner, path, found);
    path.pop();
  }
}

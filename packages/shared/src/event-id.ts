import { sha256 } from "./digest.ts";

const CHARACTERS = 32;

/** The id of an event that is the same each time it is told: `evt_` and a digest of what makes it that event. */
export function eventIdOf(...parts: readonly string[]): string {
  return `evt_${sha256(JSON.stringify(parts)).toString("hex").slice(0, CHARACTERS)}`;
}

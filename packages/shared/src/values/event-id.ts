import { sha256 } from "./digest.ts";

const CHARACTERS = 32;

/**
 * Returns the id of an event, which is the same at each delivery: `evt_` and a digest of the event's identifying
 * parts.
 */
export function eventIdOf(...parts: readonly string[]): string {
  return `evt_${sha256(JSON.stringify(parts)).toString("hex").slice(0, CHARACTERS)}`;
}

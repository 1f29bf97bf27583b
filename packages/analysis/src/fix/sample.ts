import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redaction/redact";

/** The two sides of the noise: what the provider returned, and what the configuration asks for. */
export function sampleOf({ sample }: NoiseGroup): { before: Json; after: Json } {
  const { before = null, after = null, outside = false } = sample;
  const [returned, wished] = outside ? [after, before] : [before, after];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of a plan are JSON
  return { before: returned as Json, after: wished as Json };
}

/** Whether what the provider returned is known in full: not masked, not cut. */
export function isWritable(noise: NoiseGroup): boolean {
  const text = JSON.stringify(sampleOf(noise).before);
  return !text.includes(REDACTED) && !text.includes("…") && text.length < MOST_LENGTH;
}
const MOST_LENGTH = 2_000;

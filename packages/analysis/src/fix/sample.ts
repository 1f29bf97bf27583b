import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

/** Returns both sides of the noise: the provider's value and the configuration's. */
export function sampleOf({ sample }: NoiseGroup): { before: Json; after: Json } {
  const { before = null, after = null, outside = false } = sample;
  const [returned, wanted] = outside ? [after, before] : [before, after];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of a plan are JSON
  return { before: returned as Json, after: wanted as Json };
}

/** Checks whether the provider's value is known in full, neither masked nor truncated. */
export function isWritable(noise: NoiseGroup): boolean {
  const text = JSON.stringify(sampleOf(noise).before);
  return !text.includes(REDACTED) && !text.includes("…") && text.length < MAX_LENGTH;
}
const MAX_LENGTH = 2_000;

const LONGEST = 1_000;

/**
 * Whether the names in a path are so long together that what is below is compared as a whole: each difference there would
 * repeat them, and make much of a small plan.
 */
export function isLong(path: readonly (string | number)[]): boolean {
  let length = 0;
  for (const step of path) length += typeof step === "string" ? step.length : 0;
  return length > LONGEST;
}

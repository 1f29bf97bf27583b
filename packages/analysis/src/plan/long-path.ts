const LONGEST = 1_000;

/**
 * Checks whether the names in a path are so long that its value is compared as a whole. Each difference below would
 * repeat the names, and a small plan would grow large.
 */
export function isLong(path: readonly (string | number)[]): boolean {
  let length = 0;
  for (const step of path) length += typeof step === "string" ? step.length : 0;
  return length > LONGEST;
}

import { hashOfCode } from "../code-hash.ts";

/** Packages whose code and tables decide whether a pair is equal. */
const COMPARING = "packages/{analysis,clouds,drift}/src/**/*.{ts,tsv,json}";

let code: Promise<bigint> | undefined;

/**
 * Returns a number of the code that compares pairs and of the rules disabled for it. Another release has another
 * number, so it compares every pair again.
 */
export async function comparisonSeed(disabledRules: readonly string[]): Promise<bigint> {
  code ??= hashOfCode(COMPARING);
  return BigInt.asIntN(64, Bun.hash.wyhash(disabledRules.toSorted().join(), await code));
}

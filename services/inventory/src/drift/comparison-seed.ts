import { join } from "node:path";

const PACKAGES = join(import.meta.dir, "../../../../packages");
/** Packages whose code and tables decide whether a pair is equal. */
const COMPARING = new Bun.Glob("{analysis,clouds,drift}/src/**/*.{ts,tsv,json}");

let code: Promise<bigint> | undefined;

/**
 * Returns a number of the code that compares pairs and of the rules disabled for it. Another release has another
 * number, so it compares every pair again.
 */
export async function comparisonSeed(disabledRules: readonly string[]): Promise<bigint> {
  code ??= hashOfCode();
  return BigInt.asIntN(64, Bun.hash.wyhash(disabledRules.toSorted().join(), await code));
}

/** Returns a hash of the packages' sources, or of the bundle that contains them. */
async function hashOfCode(): Promise<bigint> {
  const sources = await Array.fromAsync(COMPARING.scan({ cwd: PACKAGES, absolute: true }));
  const files = sources.length > 0 ? sources.toSorted() : [Bun.main];
  let hash = 0n;
  for (const file of files) hash = Bun.hash.wyhash(await Bun.file(file).arrayBuffer(), hash);
  return hash;
}

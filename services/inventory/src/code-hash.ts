import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

/** Returns a hash of the sources that the pattern matches from the root, or of the bundle that contains them. */
export async function hashOfCode(pattern: string): Promise<bigint> {
  const sources = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: ROOT, absolute: true }));
  const files = sources.length > 0 ? sources.toSorted() : [Bun.main];
  let hash = 0n;
  for (const file of files) hash = Bun.hash.wyhash(await Bun.file(file).arrayBuffer(), hash);
  return hash;
}

import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

/** Returns a hash of the sources that the pattern matches, or of the bundle that contains them. */
export async function hashOfCode(pattern: string): Promise<bigint> {
  const sources = await sourcesOf(pattern);
  const files = sources.length > 0 ? sources.map((source) => join(ROOT, source)) : [Bun.main];
  let hash = 0n;
  for (const file of files) hash = Bun.hash.wyhash(await Bun.file(file).arrayBuffer(), hash);
  return hash;
}

/** Returns the sources that the pattern matches, as paths from the root. Its braces can't contain slashes. */
export async function sourcesOf(pattern: string): Promise<string[]> {
  return (await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: ROOT }))).toSorted();
}

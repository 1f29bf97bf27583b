import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

/** Returns a hash of the sources that the patterns match, or of the bundle that contains them. */
export async function hashOfCode(...patterns: string[]): Promise<bigint> {
  const sources = await sourcesOf(...patterns);
  const files = sources.length > 0 ? sources.map((source) => join(ROOT, source)) : [Bun.main];
  let hash = 0n;
  for (const file of files) hash = Bun.hash.wyhash(await Bun.file(file).arrayBuffer(), hash);
  return hash;
}

/** Returns the sources that the patterns match, as paths from the root. Their braces can't contain slashes. */
export async function sourcesOf(...patterns: string[]): Promise<string[]> {
  const found = await Promise.all(
    patterns.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: ROOT }))),
  );
  return found.flat().toSorted();
}

import { run } from "./command.ts";

/** Version that Leeway is made for. */
export const WANTED = "2.10";
/** Oldest version that works with Leeway. */
export const OLDEST = "2.9";

export interface NatsBinary {
  path: string;
  version: string;
}

/** Returns the nats-server at `path`, or undefined if it doesn't run or is older than `oldest`. */
export async function natsBinary(path: string, oldest: string = OLDEST): Promise<NatsBinary | undefined> {
  const output = await run([path, "--version"], { timeoutMs: 10_000 }).catch(() => "");
  const version = /nats-server: v(\d+\.\d+\.\d+)/.exec(output)?.[1];
  return version !== undefined && isAtLeast(version, oldest) ? { path, version } : undefined;
}

/** Reports whether `version` is `floor` or newer. Both are dotted numbers; parts that `floor` omits count as zero. */
export function isAtLeast(version: string, floor: string): boolean {
  const have = version.split(".").map(Number);
  for (const [index, wanted] of floor.split(".").map(Number).entries()) {
    const part = have[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

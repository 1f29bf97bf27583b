import { run } from "./command.ts";

/** What Leeway is made for. */
export const WANTED = "2.10";
/** What Leeway still works with. */
export const OLDEST = "2.9";

export interface NatsBinary {
  path: string;
  version: string;
}

/** The nats-server at `path`; undefined when there is none that runs and is `oldest` or newer. */
export async function natsBinary(path: string, oldest: string = OLDEST): Promise<NatsBinary | undefined> {
  const output = await run([path, "--version"], { timeoutMs: 10_000 }).catch(() => "");
  const version = /nats-server: v(\d+\.\d+\.\d+)/.exec(output)?.[1];
  return version !== undefined && isAtLeast(version, oldest) ? { path, version } : undefined;
}

/** Whether `version` is `floor` or newer; both dotted numbers, what `floor` leaves out counts as zero. */
export function isAtLeast(version: string, floor: string): boolean {
  const have = version.split(".").map(Number);
  for (const [index, wanted] of floor.split(".").map(Number).entries()) {
    const part = have[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

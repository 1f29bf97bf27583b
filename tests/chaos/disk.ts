import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run, succeeds } from "../../scripts/local/command.ts";
import type { Prepare } from "./servers.ts";

const BALLAST = "ballast";
const FAILING = "inject=fsync,fdatasync:error=EIO";
const CHUNK = Buffer.alloc(64 * 1024);

/** A small disk for a server's data. */
export interface Disk {
  prepare: Prepare;
  /** Leaves no room on it. */
  fill(): Promise<void>;
  /** Gives the room back. */
  free(): Promise<void>;
}

/** Whether file systems can be mounted here: for that, one must be root. */
export async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-mount-"));
  const mounted = await succeeds(mounting(folder, 1));
  if (mounted) await run(["umount", "-l", folder]);
  await rm(folder, { recursive: true });
  return mounted;
}

/** A disk of so many megabytes, in memory. */
export function createDisk(megabytes: number): Disk {
  let ballast = "";
  return {
    async prepare(folder) {
      await mkdir(folder);
      await run(mounting(folder, megabytes));
      ballast = join(folder, BALLAST);
      return async () => void (await run(["umount", "-l", folder]));
    },
    async fill() {
      for (let full = false; !full;) {
        full = await writeFile(ballast, CHUNK, { flag: "a" }).then(() => false, isFull);
      }
    },
    free: () => rm(ballast),
  };
}

/** Whether the system calls of other processes can be made to fail here. */
export function canTrace(): Promise<boolean> {
  return succeeds(["strace", "-o", "/dev/null", "-e", FAILING, "true"]);
}

/** Has every sync to disk of these processes, and of those that they start, fail; what it gives ends that. */
export function failSyncs(pids: readonly number[]): () => Promise<void> {
  const targets = pids.flatMap((pid) => ["-p", String(pid)]);
  const strace = Bun.spawn(["strace", "-f", "-q", "-o", "/dev/null", "-e", FAILING, ...targets], {
    stdout: "ignore",
    stderr: "ignore",
  });
  return async () => {
    strace.kill();
    await strace.exited;
  };
}

function mounting(folder: string, megabytes: number): string[] {
  return ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "leeway-chaos", folder];
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}

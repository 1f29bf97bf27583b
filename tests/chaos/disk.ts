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
  /** Fills the disk completely. */
  fill(): Promise<void>;
  /** Frees the space that `fill` took. */
  free(): Promise<void>;
}

/** Reports whether file systems can be mounted here, which requires root. */
export async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-mount-"));
  const mounted = await succeeds(mounting(folder, 1));
  if (mounted) await run(["umount", "-l", folder]);
  await rm(folder, { recursive: true });
  return mounted;
}

/** Creates an in-memory disk of this size. */
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

/** Reports whether system calls of other processes can be made to fail here. */
export function canTrace(): Promise<boolean> {
  return succeeds(["strace", "-o", "/dev/null", "-e", FAILING, "true"]);
}

/** Makes every sync to disk fail in these processes and their children. Returns a function that ends it. */
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

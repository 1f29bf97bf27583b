import { isObject, text } from "@leeway/shared/values/json";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inspectProcess } from "./process.ts";
import type { Infrastructure } from "./running.ts";

/**
 * Starts the infrastructure in a separate process, which ends with this one even after SIGKILL. Blocks until it is
 * ready, so that reading a property can start it. Keep a reference to `stop`.
 * @throws {Error} with the reason why it could not be started
 */
export function hostInfrastructure({ mayUseDocker }: { mayUseDocker: boolean }): Infrastructure {
  const folder = mkdtempSync(join(tmpdir(), "leeway-host-"));
  const resultFile = join(folder, "result.json");
  const script = join(import.meta.dir, "infrastructure-host.ts");
  const child = Bun.spawn([process.execPath, script, resultFile, mayUseDocker ? "docker" : "embedded"], {
    // Protects it from Ctrl-C. It ends when its stdin closes.
    detached: true,
    stdin: "pipe",
    stdout: "ignore",
    stderr: "inherit",
  });
  child.unref();
  while (!existsSync(resultFile) && inspectProcess(child.pid)) Bun.sleepSync(10);
  const result: unknown = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, "utf8")) : {};
  rmSync(folder, { recursive: true });
  return {
    ...parseResult(result),
    stop: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}

function parseResult(result: unknown): Omit<Infrastructure, "stop"> {
  const object = isObject(result) ? result : {};
  const databaseUrl = text(object, "databaseUrl");
  const natsUrl = text(object, "natsUrl");
  const description = text(object, "description") ?? "";
  if (databaseUrl !== undefined && natsUrl !== undefined) return { databaseUrl, natsUrl, description };
  throw new Error(`no infrastructure for tests: ${text(object, "error") ?? "its host ended"}`);
}

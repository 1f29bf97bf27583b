import { type Running, running } from "../local/running.ts";
import type { Output } from "./output.ts";

const READY_DEADLINE_MS = 60_000;

export interface ServiceProcess {
  name: string;
  /** The folder that holds `services/`. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Starts `services/<name>/src/main.ts`, whose lines go to `output`. */
export async function startService({ name, root, env }: ServiceProcess, output: Output): Promise<Running> {
  const command = [process.execPath, `services/${name}/src/main.ts`];
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...env },
    // Ctrl-C reaches only us: services stop one after the other, while what they need still runs.
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = Promise.all([output.pipe(name, child.stdout), output.pipe(name, child.stderr)]);
  return {
    ...running(child, command),
    exited: child.exited.then(async (code) => {
      await Promise.race([said, Bun.sleep(200)]);
      return code;
    }),
  };
}

/**
 * Resolves when the service at `url` says that it is ready.
 * @throws {Error} when it doesn't within a minute.
 */
export async function untilReady(name: string, url: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_DEADLINE_MS;
  let last = "nothing";
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    try {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
      if (answer.ok) return;
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = String(error);
    }
    await Bun.sleep(50);
  }
  throw new Error(`${name} is not ready after ${READY_DEADLINE_MS / 1000} s: /readyz answers ${last}`);
}

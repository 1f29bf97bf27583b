import { type Running, running } from "../local/running.ts";
import type { Output } from "./output.ts";

const READY_DEADLINE_MS = 60_000;

export interface ServiceProcess {
  name: string;
  /** Folder that contains `services/`. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Called when the service reports that it accepts requests. */
  onServing: () => void;
}

/** Starts `services/<name>/src/main.ts` and prints its lines to `output`. */
export async function startService(
  { name, root, env, onServing }: ServiceProcess,
  output: Output,
): Promise<Running> {
  const command = [process.execPath, `services/${name}/src/main.ts`];
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...env },
    // Ctrl-C reaches only this process: services stop one by one, while their dependencies still run.
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    ipc: onServing,
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
 * Waits until the service is ready: it serves, and `/readyz` at `url` succeeds. Before it serves, another program may
 * answer there.
 * @throws {Error} if it isn't ready within a minute
 */
export async function untilReady(
  name: string,
  { url, serving, signal }: { url: string; serving: Promise<void>; signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + READY_DEADLINE_MS;
  let serves = false;
  void serving.then(() => (serves = true));
  let lack: string | undefined = "it doesn't serve yet";
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (serves) lack = await lackOf(url);
    if (lack === undefined) return;
    await Bun.sleep(50);
  }
  throw new Error(`${name} is not ready after ${READY_DEADLINE_MS / 1000} s: ${lack}`);
}

/** Returns why a service isn't ready; undefined if it is. */
async function lackOf(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    return answer.ok ? undefined : `/readyz answers ${answer.status} ${await answer.text()}`;
  } catch (error) {
    return `/readyz answers ${String(error)}`;
  }
}

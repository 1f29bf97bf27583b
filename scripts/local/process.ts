import { type JsonObject, text } from "@leeway/shared/values/json";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Identity of a process. A pid is not enough, because another program may have taken it. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
  command: string;
}

export interface ProcessInfo extends ProcessIdentity {
  parentPid: number;
}

/** Returns the process that runs as `pid` now, or undefined. A zombie doesn't count. */
export function inspectProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
}

/** Reports whether exactly this process still runs. */
export function isRunning({ pid, startedAt, command }: ProcessIdentity): boolean {
  const now = inspectProcess(pid);
  return now?.startedAt === startedAt && now.command === command;
}

/** Returns the identity of `pid` for storage, or undefined if it has ended. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const info = inspectProcess(pid);
  return info && { pid, startedAt: info.startedAt, command: info.command };
}

/** Reads the JSON of an {@link identityOf} result. */
export function parseIdentity(json: JsonObject | undefined): ProcessIdentity | undefined {
  const pid = json?.["pid"];
  const startedAt = text(json, "startedAt");
  const command = text(json, "command");
  if (typeof pid !== "number" || startedAt === undefined || command === undefined) return undefined;
  return { pid, startedAt, command };
}

/** Sends `signals` one by one, each `graceMs` after the last, until the process has ended. */
export async function stopProcess(
  { pid, startedAt }: Pick<ProcessIdentity, "pid" | "startedAt">,
  signals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGKILL"],
  graceMs = 10_000,
): Promise<void> {
  // Compares without the command: an exiting process no longer has one, but still holds files and ports.
  const isThere = (): boolean => inspectProcess(pid)?.startedAt === startedAt;
  for (const signal of signals) {
    if (!isThere()) return;
    send(pid, signal);
    const deadline = performance.now() + graceMs;
    while (isThere() && performance.now() < deadline) await Bun.sleep(20);
  }
}

/**
 * Stops the server that a killed run left behind. The pid at the start of `pidFile` must run a command that names
 * `path`, which no other server uses.
 */
export async function stopLeftover(
  pidFile: string,
  path: string,
  signals?: readonly NodeJS.Signals[],
): Promise<void> {
  const content = await readFile(pidFile, "utf8").catch(() => "");
  const leftover = identityOf(Number.parseInt(content, 10));
  if (leftover?.command.includes(path)) await stopProcess(leftover, signals);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function fromProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // proc(5): the name in parentheses may contain anything, so count from its end. State is field 3.
    const [state, parentPid, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const startedAt = rest[17];
    if (state === "Z" || startedAt === undefined) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return { pid, parentPid: Number(parentPid), startedAt, command };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): ProcessInfo | undefined {
  const ps = Bun.spawnSync(["ps", "-o", "ppid=,stat=,lstart=,command=", "-p", String(pid)], {
    env: { ...process.env, LC_ALL: "C" },
  });
  const match = /^\s*(\d+)\s+(\S+)\s+(.{24})\s+(.*)$/.exec(ps.stdout.toString().trimEnd());
  const [, parentPid, state, startedAt, command] = match ?? [];
  if (startedAt === undefined || command === undefined || state?.startsWith("Z")) return undefined;
  return { pid, parentPid: Number(parentPid), startedAt, command };
}

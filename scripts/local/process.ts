import { type JsonObject, text } from "@leeway/shared/json";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** A process beyond doubt: a pid alone may have gone to another program meanwhile. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
  command: string;
}

export interface ProcessInfo extends ProcessIdentity {
  parentPid: number;
}

/** What runs as `pid` now; undefined when nothing does. A zombie counts as nothing. */
export function inspectProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
}

/** Whether the very process that was written down still runs. */
export function isRunning({ pid, startedAt, command }: ProcessIdentity): boolean {
  const now = inspectProcess(pid);
  return now?.startedAt === startedAt && now.command === command;
}

/** Who `pid` is, to be written down; undefined when it has ended already. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const info = inspectProcess(pid);
  return info && { pid, startedAt: info.startedAt, command: info.command };
}

/** What {@link identityOf} gave, read back from JSON. */
export function parseIdentity(json: JsonObject | undefined): ProcessIdentity | undefined {
  const pid = json?.["pid"];
  const startedAt = text(json, "startedAt");
  const command = text(json, "command");
  if (typeof pid !== "number" || startedAt === undefined || command === undefined) return undefined;
  return { pid, startedAt, command };
}

/** Sends `signals` one after the other, each `graceMs` after the last, until the process is gone. */
export async function stopProcess(
  { pid, startedAt }: Pick<ProcessIdentity, "pid" | "startedAt">,
  signals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGKILL"],
  graceMs = 10_000,
): Promise<void> {
  // Not by its command: a process that is ending has none any more, but still its files and ports.
  const isThere = (): boolean => inspectProcess(pid)?.startedAt === startedAt;
  for (const signal of signals) {
    if (!isThere()) return;
    send(pid, signal);
    const deadline = performance.now() + graceMs;
    while (isThere() && performance.now() < deadline) await Bun.sleep(20);
  }
}

/**
 * Stops the server that a killed run left behind. It is ours when the pid that `pidFile` starts with runs
 * a command that names `path`, which no other server uses.
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
    // proc(5): the name in parentheses may hold anything, so count from behind it. State is field 3.
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

import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";

import { messageOf } from "../local/command.ts";
import { stopWithLaunchers } from "../local/launchers.ts";
import { stopProcess } from "../local/process.ts";
import { bringUp } from "./bring-up.ts";
import { type DataDir, takeDataDir, upFile } from "./data-dir.ts";
import { openLog } from "./log-file.ts";
import { createOutput } from "./output.ts";
import { inWords, type Reachable, type UpReport, whereItRuns, writeReport } from "./report.ts";
import type { Stack } from "./stack.ts";
import { Supervisor } from "./supervisor.ts";

const ONE_SIGNAL_MS = 1000;
const SERVERS = ["postgres", "nats"] as const;

/** Starts `stack` and keeps it running until a signal stops it. @returns the exit code */
export async function up(stack: Stack, root: string): Promise<number> {
  const path = resolve(root, process.env["LEEWAY_DATA_DIR"] || ".leeway");
  // A proxy can't reach programs on this machine.
  const { LISTEN_ADDRESS: own, NO_PROXY, no_proxy: direct = NO_PROXY } = process.env;
  process.env["no_proxy"] = ["127.0.0.1", own, direct].filter(Boolean).join();
  try {
    const dir = await takeDataDir(path, () =>
      console.log(`Leeway is being started or stopped in ${path} right now: waiting for that`),
    );
    if (dir) return await runIn(dir, stack, root);
    console.log(await whereItRuns(path, stack));
    return 0;
  } catch (error) {
    console.error(messageOf(error));
    return 1;
  }
}

async function runIn(dir: DataDir, stack: Stack, root: string): Promise<number> {
  const services = stack.services.map(({ name }) => name);
  const output = createOutput(["leeway", ...SERVERS, ...services], {
    own: "leeway",
    all: process.argv.includes("--logs"),
    colours: process.stdout.isTTY && !process.env["NO_COLOR"],
    write: (text) => process.stdout.write(text),
    log: openLog(dir.path),
  });
  const say = (line: string): void => output.line("leeway", line);

  let report: Omit<UpReport, "pids"> | undefined;
  const supervisor = new Supervisor({
    say,
    lastLines: output.lastLines,
    onStart: async () => {
      const running = supervisor.running();
      // PostgreSQL and NATS aren't recorded: their own files show which of them a killed start left running.
      await dir.record(services.flatMap((name) => running[name] ?? []));
      if (report) await writeReport(dir.path, { ...report, pids: pidsOf(supervisor) });
    },
  });
  const stopping = new AbortController();
  const stopped = stopSignals(supervisor, say);
  try {
    const context = { stack, root, env: process.env, dir, output, supervisor, say, signal: stopping.signal };
    report = await Promise.race([bringUp(context), supervisor.failed, stopped]);
    if (report) {
      await writeReport(dir.path, { ...report, pids: pidsOf(supervisor) });
      const show = reporter(dir.path, { report, stack, say });
      await show();
      onEnter(show);
      await Promise.race([supervisor.failed, stopped]);
    }
    return 0;
  } catch (error) {
    say(messageOf(error));
    return 1;
  } finally {
    stopping.abort();
    report = undefined;
    await rm(upFile(dir.path), { force: true });
    const isEmpty = Object.keys(supervisor.running()).length === 0;
    if (!isEmpty) say("stopping");
    await supervisor.stop();
    await dir.record([]);
    dir.release();
    if (!isEmpty) say("stopped");
  }
}

/** Returns what prints the report with a new sign-in link. A failure, such as PostgreSQL's restart, is printed instead. */
function reporter(
  dir: string,
  { report, stack, say }: { report: Reachable; stack: Stack; say: (line: string) => void },
): () => Promise<void> {
  return async () => {
    const words = await inWords(dir, report, stack).catch((error: unknown) => {
      say(`can't create a sign-in link: ${messageOf(error)}; press Enter to try again`);
    });
    if (words !== undefined) console.log(words);
  };
}

/** Calls `again` for each line typed at a terminal. In the background, reading from it would stop this process. */
function onEnter(again: () => Promise<void>): void {
  if (process.stdin.isTTY && isInForeground()) process.stdin.on("data", () => void again()).unref();
}

function isInForeground(): boolean {
  const { stdout } = Bun.spawnSync(["ps", "-o", "pgid=,tpgid=", "-p", String(process.pid)]);
  const [group, foreground] = stdout.toString().trim().split(/\s+/);
  return group !== undefined && group !== "" && group === foreground;
}

function pidsOf(supervisor: Supervisor): Record<string, number> {
  const pids = Object.entries(supervisor.running()).map(([name, { pid }]): [string, number] => [name, pid]);
  return { up: process.pid, ...Object.fromEntries(pids) };
}

/** Returns whether nohup started this process, so that it must outlive the terminal. */
function ignoresHangup(): boolean {
  if (process.platform !== "linux") return false;
  const ignored = /^SigIgn:\s*(\w+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return (Number.parseInt(ignored?.at(-1) ?? "0", 16) & 1) === 1;
}

/** Resolves at the first signal to stop. A later signal kills all programs at once. */
function stopSignals(supervisor: Supervisor, say: (line: string) => void): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let since: number | undefined;
  const stop = (): void => {
    since ??= performance.now();
    resolve(undefined);
    // One Ctrl-C can arrive twice: from the terminal, and forwarded by `bun run`.
    if (performance.now() - since < ONE_SIGNAL_MS) return;
    say("killed");
    for (const identity of Object.values(supervisor.running())) void stopProcess(identity, ["SIGKILL"]);
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  if (!ignoresHangup()) process.on("SIGHUP", () => resolve(undefined));
  stopWithLaunchers(() => resolve(undefined));
  return promise;
}

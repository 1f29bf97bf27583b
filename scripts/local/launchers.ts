import { inspectProcess, type ProcessInfo } from "./process.ts";

const LAUNCHER = /^(\S*\/)?(npm|npx|bunx|bun(\.exe)? (run|x)|node \S*\/(npm|npx))\b/;
const SHELL = /^(\S*\/)?(sh|bash|dash|zsh) -c /;

/**
 * Returns the programs between the user and this process (`npx`, `bun run` and their shells), nearest first. Some of
 * them exit on SIGTERM without passing it on.
 */
export function launchersOf(pid: number): ProcessInfo[] {
  const chain: ProcessInfo[] = [];
  let launchers = 0;
  for (let at = inspectProcess(pid); at;) {
    at = inspectProcess(at.parentPid);
    if (!at || !(LAUNCHER.test(at.command) || SHELL.test(at.command))) break;
    chain.push(at);
    if (!SHELL.test(at.command)) launchers = chain.length;
  }
  // A shell above the outermost launcher is the user's own, and may exit while we keep running.
  return chain.slice(0, launchers);
}

/** Calls `stop` once one of the programs that launched this process has ended. */
export function stopWithLaunchers(stop: () => void): void {
  const launchers = launchersOf(process.pid);
  const timer = setInterval(() => {
    if (launchers.every(({ pid, startedAt }) => inspectProcess(pid)?.startedAt === startedAt)) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

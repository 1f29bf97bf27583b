import { inspectProcess, type ProcessIdentity, stopProcess } from "./process.ts";

/** A running program. */
export interface Running {
  identity: ProcessIdentity;
  /** Settles when it has ended, on purpose or not. */
  exited: Promise<unknown>;
  /** Stops it cleanly and resolves once it has ended. */
  stop: () => Promise<void>;
}

/** External servers for tests. */
export interface Infrastructure {
  /** URL of a PostgreSQL superuser, with the database `postgres`. */
  databaseUrl: string;
  natsUrl: string;
  /** Kind of infrastructure, and the reason for it. */
  description: string;
  stop: () => Promise<void>;
}

/** Returns the child that `command` has just started. `stop` sends `signals` one by one. */
export function running(
  child: Bun.Subprocess,
  command: readonly string[],
  signals?: readonly NodeJS.Signals[],
): Running {
  const identity = {
    pid: child.pid,
    startedAt: inspectProcess(child.pid)?.startedAt ?? "",
    // From the caller, because the system briefly reports our own command or none after a start.
    command: command.join(" "),
  };
  return { identity, exited: child.exited, stop: () => stopProcess(identity, signals) };
}

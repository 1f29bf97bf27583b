import { inspectProcess, type ProcessIdentity, stopProcess } from "./process.ts";

/** A program that was started, whatever it is. */
export interface Running {
  identity: ProcessIdentity;
  /** Settles when it has ended, on purpose or not. */
  exited: Promise<unknown>;
  /** Ends it in good order and resolves when it is gone. */
  stop: () => Promise<void>;
}

/** What tests need beyond themselves. */
export interface Infrastructure {
  /** A PostgreSQL's superuser, in the database `postgres`. */
  databaseUrl: string;
  natsUrl: string;
  /** What it is, and why this and nothing else. */
  description: string;
  stop: () => Promise<void>;
}

/** The child that was just started by `command`, to be ended by `signals` one after the other. */
export function running(
  child: Bun.Subprocess,
  command: readonly string[],
  signals?: readonly NodeJS.Signals[],
): Running {
  const identity = {
    pid: child.pid,
    startedAt: inspectProcess(child.pid)?.startedAt ?? "",
    // Not what the system says: for a moment after a start that is still ours, or nothing.
    command: command.join(" "),
  };
  return { identity, exited: child.exited, stop: () => stopProcess(identity, signals) };
}

import { forward, type Reply } from "@leeway/shared/bus/request";
import { GetJob } from "@leeway/shared/contracts/analyzer/jobs";
import { currentContext } from "@leeway/shared/platform/context";
import type { Input } from "@leeway/shared/contracts/contract";
import { AppError } from "@leeway/shared/values/errors";
import { isObject } from "@leeway/shared/values/json";

import type { Gateway } from "../gateway.ts";

/**
 * Longest wait of one call, shorter than the time that a stopping process gives running calls. So a restart
 * interrupts no wait.
 */
const TURN_SECONDS = 4;

/** Pause before the next call after a failure. */
const PAUSE_MS = 500;

/**
 * Returns a job when it ends, its wait is over or this process stops. It retries while the analyzer or its database
 * is unavailable.
 */
export async function awaitJob(
  { bus, stopping }: Gateway,
  { wait = 0, ...job }: Input<typeof GetJob>,
): Promise<Reply> {
  const until = performance.now() + wait * 1_000;
  const left = (): number => Math.max(0, Math.ceil((until - performance.now()) / 1_000));
  for (;;) {
    const seconds = left();
    const turn = { ...job, wait: Math.min(seconds, TURN_SECONDS) };
    const reply = await forward(bus, GetJob, turn).catch((error: unknown) => {
      if (left() === 0 || stopping.aborted || !mayPass(error)) throw error;
      return undefined;
    });
    if (reply && (seconds <= TURN_SECONDS || stopping.aborted || isOver(reply))) return reply;
    if (!reply) await Bun.sleep(PAUSE_MS);
  }
}

function mayPass(error: unknown): boolean {
  const isGone = currentContext()?.signal?.aborted ?? false;
  return error instanceof AppError && error.code === "unavailable" && !isGone;
}

function isOver({ body }: Reply): boolean {
  const job: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  return isObject(job) && (job["status"] === "done" || job["status"] === "error");
}

import { forward, type Reply } from "@leeway/shared/bus/request";
import { GetJob } from "@leeway/shared/contracts/analyzer/jobs";
import type { Input } from "@leeway/shared/contract";
import { isObject } from "@leeway/shared/json";

import type { Gateway } from "../gateway.ts";

/** Shorter than what a process that stops gives to what is under way: a restart cuts no wait off. */
const TURN_SECONDS = 4;

/** A job once it has ended, its time to wait is over, or this process stops. */
export async function awaitJob(
  { bus, stopping }: Gateway,
  { wait = 0, ...job }: Input<typeof GetJob>,
): Promise<Reply> {
  const until = performance.now() + wait * 1_000;
  for (;;) {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1_000));
    const reply = await forward(bus, GetJob, { ...job, wait: Math.min(left, TURN_SECONDS) });
    if (left <= TURN_SECONDS || stopping.aborted || isOver(reply)) return reply;
  }
}

function isOver({ body }: Reply): boolean {
  const job: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  return isObject(job) && (job["status"] === "done" || job["status"] === "error");
}

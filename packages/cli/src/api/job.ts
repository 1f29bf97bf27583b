import { setTimeout as sleep } from "node:timers/promises";

import { isUuid } from "@leeway/shared/contracts/contract";
import { member, text, type JsonObject } from "@leeway/shared/values/json";

import { Failure } from "../failure.ts";
import { path, type Answer, type Api } from "./client.ts";
import { expectOk, plain } from "./refusal.ts";

/** Long-poll limit that Leeway accepts, and time allowed beyond it. */
const LONGEST_WAIT_SECONDS = 25;
const SPARE_MS = 15_000;
const OPEN: ReadonlySet<string> = new Set(["queued", "running"]);
const MIN_BETWEEN_MS = 1000;

/**
 * Returns the job that an answer names.
 * @throws {Failure} `refused` when it names none
 */
export function jobIn({ body }: Answer): string {
  const id = text(body, "job_id");
  if (id === undefined || !isUuid(id)) throw unknownAnswer();
  return id;
}

/**
 * Waits for the result of a job.
 * @throws {Failure} `refused` when it ended with an error, `unavailable` when it hasn't ended in time
 */
export async function resultOf(api: Api, jobId: string): Promise<JsonObject> {
  for (;;) {
    const asked = performance.now();
    const job = await ask(api, jobId);
    const status = text(job, "status") ?? "";
    if (!OPEN.has(status)) return ended(job, status);
    // A proxy in between may cut off long polls.
    await sleep(Math.max(0, MIN_BETWEEN_MS - (performance.now() - asked)));
    if (performance.now() >= api.deadline) throw late(api, jobId, status);
  }
}

function ended(job: JsonObject, status: string): JsonObject {
  if (status === "error") throw failed(job);
  const result = member(job, "result");
  if (status !== "done" || !result) throw unknownAnswer();
  return result;
}

async function ask(api: Api, jobId: string): Promise<JsonObject> {
  // The answer itself takes time, too.
  const remaining = Math.floor((api.deadline - performance.now()) / 1000) - 1;
  const seconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(0, remaining));
  const answer = await api.ask({
    method: "GET",
    path: `${path`orgs/${api.orgId}/llm-jobs/${jobId}`}?wait=${seconds}`,
    longestTryMs: seconds * 1000 + SPARE_MS,
  });
  return expectOk(answer, `the request for job ${jobId}`).body;
}

function failed(job: JsonObject): Failure {
  const error = member(job, "error");
  const code = plain(text(error, "code") ?? "unknown");
  const message = plain(text(error, "message") ?? "the server gave no reason");
  return new Failure("refused", `the job failed: ${message} (${code})`);
}

function late({ orgId }: Api, jobId: string, status: string): Failure {
  const place = `GET /api/v2/orgs/${orgId}/llm-jobs/${jobId}`;
  return new Failure(
    "unavailable",
    `stopped waiting: the job is still ${status}. Raise --max-seconds, or get the result later with ${place}`,
  );
}

function unknownAnswer(): Failure {
  return new Failure(
    "refused",
    "this leeway can't read the server's answer about the job: compare their versions",
  );
}

import { setTimeout as sleep } from "node:timers/promises";

import { isUuid } from "@leeway/shared/contract";
import { member, text, type JsonObject } from "@leeway/shared/json";

import { Failure } from "../failure.ts";
import { path, type Answer, type Api } from "./client.ts";
import { expectOk, plain } from "./refusal.ts";

/** The longest that Leeway holds an answer back for, and how long it may take beyond that. */
const LONGEST_WAIT_SECONDS = 25;
const SPARE_MS = 15_000;
const OPEN: ReadonlySet<string> = new Set(["queued", "running"]);
const LEAST_BETWEEN_MS = 1000;

/**
 * The job that an answer names.
 * @throws {Failure} `refused` when it names none
 */
export function jobIn({ body }: Answer): string {
  const id = text(body, "job_id");
  if (id === undefined || !isUuid(id)) throw new Failure("refused", "Leeway's answer names no job");
  return id;
}

/**
 * What a job came to. `tell` hears how it goes.
 * @throws {Failure} `refused` when it ended with an error, `unavailable` when it hasn't ended in time
 */
export async function resultOf(
  api: Api,
  jobId: string,
  tell: (message: string) => void,
): Promise<JsonObject> {
  const started = performance.now();
  let told = "";
  for (;;) {
    const asked = performance.now();
    const job = await ask(api, jobId);
    const status = text(job, "status") ?? "";
    if (!OPEN.has(status)) return ended(job, status);
    const seconds = Math.round((asked - started) / 1000);
    if (status !== told || seconds > 0)
      tell(`job ${jobId} is ${status}${seconds > 0 ? `, ${seconds} s` : ""}`);
    told = status;
    // A proxy in between may not let an answer wait.
    await sleep(Math.max(0, LEAST_BETWEEN_MS - (performance.now() - asked)));
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
  // The answer itself takes time too.
  const remaining = Math.floor((api.deadline - performance.now()) / 1000) - 1;
  const seconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(0, remaining));
  const answer = await api.ask({
    method: "GET",
    path: `${path`orgs/${api.orgId}/llm-jobs/${jobId}`}?wait=${seconds}`,
    longestTryMs: seconds * 1000 + SPARE_MS,
  });
  return expectOk(answer, `to tell of job ${jobId}`).body;
}

function failed(job: JsonObject): Failure {
  const error = member(job, "error");
  const code = plain(text(error, "code") ?? "unknown");
  return new Failure(
    "refused",
    `the job failed: ${plain(text(error, "message") ?? "no reason given")} (${code})`,
  );
}

function late({ orgId }: Api, jobId: string, status: string): Failure {
  const place = `GET /api/v2/orgs/${orgId}/llm-jobs/${jobId}`;
  return new Failure(
    "unavailable",
    `the job is still ${status} and goes on without us: its result comes at ${place}`,
  );
}

function unknownAnswer(): Failure {
  return new Failure("refused", "Leeway's answer about the job can't be read: compare the versions of both");
}

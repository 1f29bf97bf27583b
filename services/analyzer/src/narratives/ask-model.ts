import { ANSWER_SCHEMA } from "@leeway/analysis/narrative/answer-schema";
import type { Question } from "@leeway/analysis/narrative/prompt";
import { readAnswer } from "@leeway/analysis/narrative/read-answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { currentContext, toItsEnd } from "@leeway/shared/platform/context";
import { call } from "@leeway/shared/bus/request";
import type { Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import {
  CreateCompletion,
  type Completion,
  type ModelFailure,
} from "@leeway/shared/contracts/quota/completions";
import { ReleaseSlot } from "@leeway/shared/contracts/quota/slots";
import { AppError } from "@leeway/shared/values/errors";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

export interface ModelDependencies {
  bus: BusConnection;
  log: Logger;
}

export interface JobKey {
  orgId: string;
  id: string;
}

/** Narrative of a model, or the reason why there is none. */
export type Said = { said: true; narrative: Narrative } | { said: false; failed: boolean; note: string };

const UNUSABLE = "the model's answer wasn't valid";
const AGAIN =
  "Your last answer wasn't valid. Return only a JSON document that matches the schema and uses ids from the data.";

/**
 * Asks a model for a narrative, using the job's slot. An unusable answer is requested once more. The slot is consumed
 * if the platform's model answered, and released otherwise.
 * @param question must not contain secrets, and outside text only if it is fenced
 */
export async function askModel(deps: ModelDependencies, job: JobKey, question: Question): Promise<Said> {
  const first = await asked(deps, job, question);
  if (first !== "unusable") return first;
  const second = await asked(deps, job, { ...question, prompt: `${question.prompt}\n\n${AGAIN}` });
  // The first answer was paid for, whatever the second one is.
  return second !== "unusable" && second.said ? second : { said: false, failed: false, note: UNUSABLE };
}

async function asked(deps: ModelDependencies, job: JobKey, question: Question): Promise<Said | "unusable"> {
  const completion = await complete(deps, job, question);
  // The job may have reserved a slot before the organization had its own key.
  if (!isPaidByPlatform(completion)) await releaseSlot(deps, job);
  if (completion?.outcome !== "completed" || completion.finish === "refused")
    return { said: false, failed: hasFailed(completion), note: noteOf(completion) };
  const { text, source, model } = completion;
  const read = readAnswer(text, question.known);
  return read ? { said: true, narrative: { ...read, source, model } } : "unusable";
}

/** Returns undefined when the quota service can't be reached; its own sweep then releases the slot. */
async function complete(
  { bus, log }: ModelDependencies,
  { orgId, id }: JobKey,
  { system, prompt }: Question,
): Promise<Completion | undefined> {
  const input = { org_id: orgId, job_id: id, system, prompt };
  try {
    return await call(bus, CreateCompletion, { ...input, schema: ANSWER_SCHEMA }).catch((error: unknown) => {
      // An older quota service doesn't accept a schema; the prompt contains it too.
      if (!(error instanceof AppError) || error.code !== "invalid_parameter") throw error;
      return call(bus, CreateCompletion, input);
    });
  } catch (error) {
    // At shutdown or after a timeout another instance takes the job.
    if (!(error instanceof AppError) || currentContext()?.signal?.aborted) throw error;
    log.warn({ error }, "couldn't call a model");
    return undefined;
  }
}

/** Releases the platform slot of a job; does nothing if the slot was consumed or the job has none. */
export async function releaseSlot({ bus, log }: ModelDependencies, { orgId, id }: JobKey): Promise<void> {
  const released = toItsEnd(() => call(bus, ReleaseSlot, { org_id: orgId, job_id: id }));
  await released.catch((error: unknown) => log.warn({ error }, "couldn't release a slot; the sweep will"));
}

function isPaidByPlatform(completion: Completion | undefined): boolean {
  return completion?.outcome === "completed" && completion.source === "platform";
}

function hasFailed(completion: Completion | undefined): boolean {
  return completion === undefined || completion.outcome === "failed";
}

function noteOf(completion: Completion | undefined): string {
  switch (completion?.outcome) {
    case undefined:
      return "the model could not be called";
    case "completed":
      return "the model refused to answer";
    case "failed":
      return completion.source === "byok"
        ? `the organization's model failed: ${reasonOf(completion.failure)}`
        : `the platform's model failed: ${completion.failure.kind}`;
    case "unconfigured":
      return "no model is configured";
    case "denied":
      return deniedNote(completion.denial);
  }
}

/** Describes failures that the organization can fix, and returns the kind of others. */
function reasonOf({ kind, status }: ModelFailure): string {
  if (kind === "rejected") return "the provider rejects the API key";
  if (kind === "unpaid") return "the provider account has no credit left";
  if (kind === "request" && status === 404) return "the provider doesn't know the model";
  return kind;
}

function deniedNote(denial: Extract<Completion, { outcome: "denied" }>["denial"]): string {
  switch (denial.reason) {
    case "byok_rate_limited":
      return `the organization's model keeps failing; next attempt at ${denial.retry_at}`;
    case "weekly_exhausted":
      return `this week's platform AI analyses are used up; the quota resets at ${denial.week_resets_at}`;
    case "hourly_exhausted":
      return `this hour's platform AI analyses are used up; the limit resets at ${denial.hour_resets_at}`;
    case "hard_off":
      return "platform AI analyses are disabled for the plan";
  }
}

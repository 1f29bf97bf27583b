import type { BusConnection } from "@leeway/shared/bus/connection";
import { currentContext, toItsEnd } from "@leeway/shared/context";
import { call } from "@leeway/shared/bus/request";
import {
  CreateCompletion,
  type Completion,
  type ModelFailure,
} from "@leeway/shared/contracts/quota/completions";
import { ReleaseSlot } from "@leeway/shared/contracts/quota/slots";
import { AppError } from "@leeway/shared/errors";
import type { Logger } from "@leeway/shared/telemetry/log";

export interface ModelDependencies {
  bus: BusConnection;
  log: Logger;
}

export interface JobKey {
  orgId: string;
  id: string;
}

/** What a model wrote, or why it didn't, in words for whoever reads the result. */
export type Said =
  | { said: true; text: string; source: "platform" | "byok"; model: string }
  | { said: false; failed: boolean; note: string };

/**
 * Has a model write, on the job's slot. However it ends, the slot is spent or given back.
 * @param prompt shall hold no secret and nothing that isn't fenced
 */
export async function askModel(
  deps: ModelDependencies,
  job: JobKey,
  prompt: { system: string; prompt: string },
): Promise<Said> {
  const completion = await complete(deps, job, prompt);
  // Also of a job that took a slot before the organization had a key of its own.
  if (!isPaidByPlatform(completion)) await releaseSlot(deps, job);
  if (completion?.outcome === "completed" && completion.finish !== "refused") {
    const { text, finish, source, model } = completion;
    return { said: true, text: finish === "length" ? wholeSentences(text) : text, source, model };
  }
  return { said: false, failed: hasFailed(completion), note: noteOf(completion) };
}

/** Of an answer that was cut off, all but the sentence in which it was; the number of a list's item ends none. */
function wholeSentences(text: string): string {
  return /^[^]*(?:[!?]|(?<!(?:^|\n)[ \t]*\d{1,3})\.)(?=\s)/.exec(text)?.[0] ?? "";
}

/** Undefined when the quota service can't be asked: its own sweep gives back what it may hold. */
async function complete(
  { bus, log }: ModelDependencies,
  { orgId, id }: JobKey,
  prompt: { system: string; prompt: string },
): Promise<Completion | undefined> {
  try {
    return await call(bus, CreateCompletion, { org_id: orgId, job_id: id, ...prompt });
  } catch (error) {
    // Who stops, or took too long, leaves the job to another instance.
    if (!(error instanceof AppError) || currentContext()?.signal?.aborted) throw error;
    log.warn({ error }, "no model could be asked");
    return undefined;
  }
}

/** Gives back what a job holds of the platform's slots: nothing when it was spent, or is none. */
export async function releaseSlot({ bus, log }: ModelDependencies, { orgId, id }: JobKey): Promise<void> {
  const released = toItsEnd(() => call(bus, ReleaseSlot, { org_id: orgId, job_id: id }));
  await released.catch((error: unknown) => log.warn({ error }, "a slot is left to the sweep"));
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
      return "no model could be asked";
    case "completed":
      return "the model refused to answer";
    case "failed":
      return completion.source === "byok"
        ? `the organization's own model failed (${reasonOf(completion.failure)})`
        : `the platform's model failed (${completion.failure.kind})`;
    case "unconfigured":
      return "no model is configured";
    case "denied":
      return deniedNote(completion.denial);
  }
}

/** In words where the organization has to do something about it. */
function reasonOf({ kind, status }: ModelFailure): string {
  if (kind === "rejected") return "its provider rejects the key";
  if (kind === "unpaid") return "the key's account has no credit left";
  if (kind === "request" && status === 404) return "its provider doesn't know the model";
  return kind;
}

function deniedNote(denial: Extract<Completion, { outcome: "denied" }>["denial"]): string {
  switch (denial.reason) {
    case "byok_rate_limited":
      return `the organization's own model fails: it is tried again at ${denial.retry_at}`;
    case "weekly_exhausted":
      return `the plan's analyses of this week are used up until ${denial.week_resets_at}`;
    case "hourly_exhausted":
      return `the plan's analyses of this hour are used up until ${denial.hour_resets_at}`;
    case "hard_off":
      return "the platform's model is off for the plan";
  }
}

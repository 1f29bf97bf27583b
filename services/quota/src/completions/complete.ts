import { currentContext, toItsEnd } from "@leeway/shared/platform/context";
import type { Input } from "@leeway/shared/contracts/contract";
import type { Completion, CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { SealError } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { durations } from "@leeway/shared/platform/telemetry/metrics";

import type { Breaker } from "../llm-config/breaker.ts";
import { openKey } from "../llm-config/key.ts";
import type { Notices } from "../notices.ts";
import { askModel, type Asked, type Question } from "../model/ask-model.ts";
import type { OpenConnection } from "../model/language-model.ts";
import { noteOutcome, takeKey, type OwnCall } from "../llm-config/own-key.ts";
import type { Job, Slots } from "./slots.ts";

export interface CompletionDependencies {
  database: Database;
  ring: KeyRing;
  egress: Egress;
  log: Logger;
  slots: Slots;
  /** Notifications to organizations about their keys. */
  notices?: Notices | undefined;
  /** The platform's own model; undefined if it offers none. */
  platform: OpenConnection | undefined;
  /** Time limit of a call, in ms. */
  deadlineMs?: number;
}

/** Access to language models. */
export interface Models {
  /** Answers one prompt, or explains why it can't; see the contract. */
  complete(input: Input<typeof CreateCompletion>): Promise<Completion>;
  /** Aborts running calls after `graceMs`, and resolves when all have settled. */
  drain(graceMs: number): Promise<void>;
}

const DEADLINE_MS = 60_000;

const callSeconds = durations("model_call_seconds", "Duration of calls to a language model", [
  "source",
  "provider",
  "outcome",
]);

export function createModels(deps: CompletionDependencies): Models {
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  return {
    complete(input) {
      const work = complete(deps, input, stopping.signal).finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    async drain(graceMs) {
      setTimeout(() => stopping.abort(), graceMs).unref(); // also aborts calls that arrive until then
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** One call of a model, with the organization's key or the platform's. */
interface ModelCall {
  job: Job;
  question: Question;
  stopping: AbortSignal;
}

async function complete(
  deps: CompletionDependencies,
  input: Input<typeof CreateCompletion>,
  stopping: AbortSignal,
): Promise<Completion> {
  const { system, prompt, schema, max_tokens: maxTokens } = input;
  const job = { orgId: input.org_id.toLowerCase(), jobId: input.job_id.toLowerCase() };
  const call = { job, question: { system, prompt, schema, maxTokens }, stopping };
  const own = await takeKey(deps.database, job.orgId);
  if (own && "reason" in own) return { outcome: "denied", denial: own };
  if (own) return completionOf("byok", await onOwnKey(deps, call, own));
  const { platform } = deps;
  if (!platform) return { outcome: "unconfigured" };
  const asked = await onSlot(deps, job, () => ask(deps, call, "platform", platform));
  return "granted" in asked ? { outcome: "denied", denial: asked } : completionOf("platform", asked);
}

async function onOwnKey(deps: CompletionDependencies, call: ModelCall, own: OwnCall): Promise<Asked> {
  const { orgId } = call.job;
  let asked: Asked = { answered: false, failure: { kind: "unusable" } };
  try {
    const apiKey = openKey(deps.ring, orgId, own.key);
    asked = await ask(deps, call, "byok", { ...own.key.connection, apiKey });
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    deps.log.error({ error, org_id: orgId }, "an organization's model key can't be decrypted");
  } finally {
    await settle(deps.log, "update the breaker", async () => {
      const opened = await noteOutcome(deps.database, orgId, own, asked);
      if (opened) reportOpened(deps, orgId, own, opened);
    });
  }
  return asked;
}

function reportOpened(
  { log, notices }: CompletionDependencies,
  orgId: string,
  { key }: OwnCall,
  { failures: consecutiveFailures, retryAt }: Breaker,
): void {
  log.warn({ org_id: orgId }, "the breaker of an organization's model key opened");
  const { provider } = key.connection;
  if (retryAt) notices?.breakerOpened(orgId, { provider, consecutiveFailures, retryAt });
}

/**
 * Runs `work` on the job's slot. An answer consumes the slot, and any other outcome releases it. This is the only way
 * to the platform's model.
 * @throws {AppError} `unavailable` when the gates can't be read
 */
async function onSlot(
  { slots, log }: CompletionDependencies,
  job: Job,
  work: () => Promise<Asked>,
): Promise<Asked | SlotDenial> {
  let answered = false;
  let taken = true; // assumed until the reservation says otherwise
  try {
    const reservation = await slots.reserve(job);
    taken = reservation.granted;
    if (!reservation.granted) return reservation;
    const asked = await work();
    ({ answered } = asked);
    return asked;
  } finally {
    if (answered) await settle(log, "consume a slot", () => slots.consume(job));
    else if (taken) await settle(log, "release a slot", () => slots.release(job));
  }
}

/**
 * Runs the work that must follow a call of a model, even if its caller has gone: the request's own context would
 * reject it. Failures are only logged, because slots are swept and leases expire.
 */
async function settle(log: Logger, what: string, work: () => Promise<unknown>): Promise<void> {
  await toItsEnd(work).catch((error: unknown) => log.warn({ error }, `couldn't ${what}`));
}

type Source = "byok" | "platform";

async function ask(
  { egress, log, deadlineMs = DEADLINE_MS }: CompletionDependencies,
  { job, question, stopping }: ModelCall,
  source: Source,
  connection: OpenConnection,
): Promise<Asked> {
  const started = performance.now();
  const gone = currentContext()?.signal;
  const signal = gone ? AbortSignal.any([gone, stopping]) : stopping;
  const { provider } = connection;
  const asked = await askModel(egress, connection, question, { deadlineMs, signal });
  const ms = Math.round(performance.now() - started);
  const outcome = asked.answered ? "answered" : asked.failure.kind;
  callSeconds.observe({ source, provider, outcome }, ms / 1000);
  const line = { org_id: job.orgId, job_id: job.jobId, source, provider, outcome, ms };
  if (asked.answered) log.info({ ...line, ...asked.answer.usage }, "the model answered");
  else log.warn({ ...line, status: asked.failure.status }, "the model didn't answer");
  return asked;
}

function completionOf(source: Source, asked: Asked): Completion {
  if (!asked.answered) return { outcome: "failed", source, failure: asked.failure };
  return { outcome: "completed", source, ...asked.answer };
}

import { currentContext } from "@leeway/shared/context";
import type { Input } from "@leeway/shared/contract";
import type { Completion, CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import type { Provider } from "@leeway/shared/contracts/quota/llm-config";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/egress/egress";
import { SealError } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Logger } from "@leeway/shared/telemetry/log";
import { durations } from "@leeway/shared/telemetry/metrics";

import type { Breaker } from "../domain/breaker.ts";
import { openKey } from "../llm-config/key.ts";
import type { Notices } from "../notices.ts";
import { askModel, type Asked, type Question } from "./ask-model.ts";
import type { OpenConnection } from "./language-model.ts";
import { onSlot } from "./on-slot.ts";
import { noteOutcome, takeKey, type OwnCall } from "./own-key.ts";
import { settle } from "./settle.ts";
import type { Job, Slots } from "./slots.ts";

export interface CompletionDependencies {
  database: Database;
  ring: KeyRing;
  egress: Egress;
  log: Logger;
  slots: Slots;
  /** Who tells organizations of what happens to their keys. */
  notices?: Notices | undefined;
  /** The platform's own model; undefined where it offers none. */
  platform: OpenConnection | undefined;
  /** How long a model may take. */
  deadlineMs?: number;
}

/** Has models answer. */
export interface Models {
  /** One answer to one prompt, or why there is none; see the contract. */
  complete(input: Input<typeof CreateCompletion>): Promise<Completion>;
  /** Calls off what is under way once `graceMs` are over, and resolves when all of it is settled. */
  drain(graceMs: number): Promise<void>;
}

const DEADLINE_MS = 60_000;
/** Many models think, and that takes of the same room as the answer. What runs anywhere may have no more than little. */
const USUAL_TOKENS: Readonly<Record<Provider, number>> = {
  anthropic: 4_096,
  openai: 4_096,
  google: 4_096,
  azure_openai: 4_096,
  bedrock: 2_000,
  openai_compatible: 2_000,
};

const callSeconds = durations("model_call_seconds", "Time of calls of a language model", [
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
      setTimeout(() => stopping.abort(), graceMs).unref(); // also for what still comes in until then
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** One call of a model, whoever's key it is made with. */
interface ModelCall {
  job: Job;
  question: Omit<Question, "maxTokens">;
  /** Absent for what is usual with its provider. */
  maxTokens: number | undefined;
  stopping: AbortSignal;
}

async function complete(
  deps: CompletionDependencies,
  input: Input<typeof CreateCompletion>,
  stopping: AbortSignal,
): Promise<Completion> {
  const { system, prompt, max_tokens: maxTokens } = input;
  const job = { orgId: input.org_id.toLowerCase(), jobId: input.job_id.toLowerCase() };
  const call = { job, question: { system, prompt }, maxTokens, stopping };
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
    deps.log.error({ error, org_id: orgId }, "an organization's model key doesn't open");
  } finally {
    await settle(deps.log, "tell the breaker", async () => {
      const opened = await noteOutcome(deps.database, orgId, own, asked);
      if (opened) tellOpened(deps, orgId, own, opened);
    });
  }
  return asked;
}

function tellOpened(
  { log, notices }: CompletionDependencies,
  orgId: string,
  { key }: OwnCall,
  { failures: consecutiveFailures, retryAt }: Breaker,
): void {
  log.warn({ org_id: orgId }, "the breaker of an organization's model key has opened");
  const { provider } = key.connection;
  if (retryAt) notices?.breakerOpened(orgId, { provider, consecutiveFailures, retryAt });
}

type Source = "byok" | "platform";

async function ask(
  { egress, log, deadlineMs = DEADLINE_MS }: CompletionDependencies,
  { job, question, maxTokens, stopping }: ModelCall,
  source: Source,
  connection: OpenConnection,
): Promise<Asked> {
  const started = performance.now();
  const gone = currentContext()?.signal;
  const signal = gone ? AbortSignal.any([gone, stopping]) : stopping;
  const { provider } = connection;
  const room = { ...question, maxTokens: maxTokens ?? USUAL_TOKENS[provider] };
  const asked = await askModel(egress, connection, room, { deadlineMs, signal });
  const ms = Math.round(performance.now() - started);
  const outcome = asked.answered ? "answered" : asked.failure.kind;
  callSeconds.observe({ source, provider, outcome }, ms / 1000);
  const line = { org_id: job.orgId, job_id: job.jobId, source, provider, outcome, ms };
  if (asked.answered) log.info({ ...line, ...asked.answer.usage }, "a model answered");
  else log.warn({ ...line, status: asked.failure.status }, "a model didn't answer");
  return asked;
}

function completionOf(source: Source, asked: Asked): Completion {
  if (!asked.answered) return { outcome: "failed", source, failure: asked.failure };
  return { outcome: "completed", source, ...asked.answer };
}

import { APICallError, type LanguageModelV4, type LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import type { Completion, ModelFailure } from "@leeway/shared/contracts/quota/completions";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";
import type { JsonObject } from "@leeway/shared/values/json";

import { modelFailure } from "./model-failure.ts";
import { answerFormat } from "./answer-format.ts";
import { languageModel, usualTokens, type OpenConnection } from "./language-model.ts";

const MAX_BYTES = 4 * 1024 * 1024;
/** More than any model may write, but small enough for a message of the bus. */
const MAX_CHARACTERS = 256 * 1024;

export interface Question {
  system: string | undefined;
  prompt: string;
  /** Token limit; undefined for the provider's default. */
  maxTokens: number | undefined;
  /** JSON Schema of the answer; undefined for text. */
  schema?: JsonObject | undefined;
}

type Completed = Extract<Completion, { outcome: "completed" }>;
/** A model's answer. */
type ModelAnswer = Pick<Completed, "provider" | "model" | "text" | "finish" | "usage">;
export type Asked = { answered: true; answer: ModelAnswer } | { answered: false; failure: ModelFailure };

interface Patience {
  deadlineMs: number;
  /** Aborted when the caller no longer waits for the answer. */
  signal: AbortSignal | undefined;
}

/**
 * Asks a model once, and again without the schema if the provider rejects the request with it. Never throws, because
 * errors of providers and libraries may quote the key or the prompt.
 */
export async function askModel(
  egress: Egress,
  connection: OpenConnection,
  question: Question,
  { deadlineMs, signal: caller }: Patience,
): Promise<Asked> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = caller ? AbortSignal.any([deadline, caller]) : deadline;
  const attempt = async (asked: Question): Promise<Asked> => {
    try {
      const model = await languageModel(connection, fetchBy(egress, deadlineMs));
      const maxTokens = asked.maxTokens ?? usualTokens(connection);
      const answer = await generate(model, { ...asked, maxTokens }, signal);
      return { answered: true, answer: answerOf(connection, answer) };
    } catch (error) {
      if (caller?.aborted) return { answered: false, failure: { kind: "canceled" } };
      if (deadline.aborted) return { answered: false, failure: { kind: "timeout" } };
      return { answered: false, failure: failureOf(error) };
    }
  };
  const asked = await attempt(question);
  return question.schema && isRefused(asked) ? attempt({ ...question, schema: undefined }) : asked;
}

function generate(
  model: LanguageModelV4,
  { system, prompt, maxTokens, schema }: Question & { maxTokens: number },
  abortSignal: AbortSignal,
): PromiseLike<LanguageModelV4GenerateResult> {
  return model.doGenerate({
    prompt: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens: maxTokens,
    abortSignal,
    ...(schema && { responseFormat: answerFormat(schema) }),
  });
}

/** Returns whether a provider rejected the schema: those without structured output answer 400 or 422. */
function isRefused(asked: Asked): boolean {
  if (asked.answered) return false;
  const { kind, status } = asked.failure;
  return kind === "request" && (status === 400 || status === 422);
}

/** Returns a `fetch` for the libraries that goes through the egress guard. */
function fetchBy(egress: Egress, timeoutMs: number): typeof fetch {
  const guarded = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    return egress.fetch(url, { ...init, timeoutMs, maxBytes: MAX_BYTES });
  };
  return Object.assign(guarded, { preconnect: () => undefined });
}

const FINISHES: Readonly<Record<string, ModelAnswer["finish"]>> = {
  stop: "stop",
  length: "length",
  "content-filter": "refused",
};

function answerOf({ provider, model }: OpenConnection, said: LanguageModelV4GenerateResult): ModelAnswer {
  const { content, finishReason, usage } = said;
  return {
    provider,
    model,
    text: content
      .map((part) => (part.type === "text" ? part.text : ""))
      .join("")
      .slice(0, MAX_CHARACTERS),
    finish: FINISHES[finishReason.unified] ?? "other",
    usage: { input_tokens: usage.inputTokens.total ?? 0, output_tokens: usage.outputTokens.total ?? 0 },
  };
}

function failureOf(error: unknown): ModelFailure {
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    const { statusCode: status, responseBody: body = "", responseHeaders = {} } = error;
    return modelFailure({ status, body, retryAfter: responseHeaders["retry-after"] }, new Date());
  }
  const refused = causesOf(error).find((cause) => cause instanceof AppError);
  if (refused) return { kind: refused.code === "invalid_parameter" ? "unusable" : "network" };
  return { kind: "answer" };
}

/** Returns an error and its causes. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause)
    causes.push(cause);
  return causes;
}

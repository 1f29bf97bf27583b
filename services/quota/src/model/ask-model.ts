import { APICallError, type LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import type { Completion, ModelFailure } from "@leeway/shared/contracts/quota/completions";
import type { Egress } from "@leeway/shared/egress/egress";
import { AppError } from "@leeway/shared/errors";

import { modelFailure } from "../domain/model-failure.ts";
import { languageModel, type OpenConnection } from "./language-model.ts";

const MOST_BYTES = 4 * 1024 * 1024;

export interface Question {
  system: string | undefined;
  prompt: string;
  maxTokens: number;
}

type Completed = Extract<Completion, { outcome: "completed" }>;
/** What a model said. */
type ModelAnswer = Pick<Completed, "provider" | "model" | "text" | "finish" | "usage">;
export type Asked = { answered: true; answer: ModelAnswer } | { answered: false; failure: ModelFailure };

interface Patience {
  deadlineMs: number;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal | undefined;
}

/**
 * Asks a model once. It never throws: what a provider or a library says of a failure may quote the key or
 * the prompt, and ends here.
 */
export async function askModel(
  egress: Egress,
  connection: OpenConnection,
  { system, prompt, maxTokens }: Question,
  { deadlineMs, signal: caller }: Patience,
): Promise<Asked> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = caller ? AbortSignal.any([deadline, caller]) : deadline;
  try {
    const model = languageModel(connection, fetchBy(egress, deadlineMs));
    const said = await model.doGenerate({
      prompt: [
        ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
        { role: "user", content: [{ type: "text", text: prompt }] },
      ],
      maxOutputTokens: maxTokens,
      abortSignal: signal,
    });
    return { answered: true, answer: answerOf(connection, said) };
  } catch (error) {
    if (caller?.aborted) return { answered: false, failure: { kind: "canceled" } };
    if (deadline.aborted) return { answered: false, failure: { kind: "timeout" } };
    return { answered: false, failure: failureOf(error) };
  }
}

/** The guarded door to the outside as the libraries know it. */
function fetchBy(egress: Egress, timeoutMs: number): typeof fetch {
  const guarded = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    return egress.fetch(url, { ...init, timeoutMs, mostBytes: MOST_BYTES });
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
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
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

/** An error and what it came from. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause)
    causes.push(cause);
  return causes;
}

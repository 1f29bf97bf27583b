import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import type { JsonObject } from "../../values/json.ts";
import { Uuid } from "../common.ts";
import { Provider } from "./llm-config.ts";
import { ByokDenial, SlotDenial } from "./slots.ts";

/** Owner of the API key for a model: the organization (`byok`) or the platform. */
const Source = words(["byok", "platform"]);

export const FAILURE_KINDS = [
  "answer",
  "canceled",
  "network",
  "output_limit",
  "rejected",
  "request",
  "server",
  "throttled",
  "timeout",
  "unpaid",
  "unusable",
] as const;

/** Failure of a model call, without any text from the provider. */
export const ModelFailure = t.Object({
  kind: words(FAILURE_KINDS),
  status: t.Optional(t.Integer({ description: "HTTP status of the provider's answer" })),
  retry_after_seconds: t.Optional(t.Integer()),
});
export type ModelFailure = Static<typeof ModelFailure>;

/** Outcome of a call. A refusal by the model counts as completed. */
export const Completion = t.Union([
  t.Object({
    outcome: t.Literal("completed"),
    source: Source,
    provider: Provider,
    model: t.String(),
    text: t.String(),
    finish: words(["stop", "length", "refused", "other"]),
    usage: t.Object({
      input_tokens: t.Integer({ description: "0 if the provider doesn't report it" }),
      output_tokens: t.Integer(),
    }),
  }),
  t.Object({ outcome: t.Literal("denied"), denial: t.Union([ByokDenial, SlotDenial]) }),
  t.Object({ outcome: t.Literal("failed"), source: Source, failure: ModelFailure }),
  t.Object({
    outcome: t.Literal("unconfigured", {
      description: "Neither an organization key nor a platform model is configured",
    }),
  }),
]);
export type Completion = Static<typeof Completion>;

/**
 * Calls a model with the organization's own key, or else with the platform's. The latter takes the slot of `job_id`,
 * and returns it if the model didn't answer. A job takes one slot, however often it calls.
 */
export const CreateCompletion = defineRequest("quota.completions.create", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    job_id: Uuid,
    system: t.Optional(t.String({ maxLength: 100_000 })),
    prompt: t.String({ minLength: 1, maxLength: 1_000_000 }),
    schema: t.Optional(
      t.Unsafe<JsonObject>(
        t.Object(
          {},
          {
            additionalProperties: true,
            description:
              "JSON Schema of the answer, sent as the provider documents it. The prompt must describe it too, because some models don't support schemas",
          },
        ),
      ),
    ),
    max_tokens: t.Optional(
      t.Integer({
        minimum: 1,
        maximum: 32_000,
        description: "Maximum output tokens, including reasoning. Default: the provider's usual limit",
      }),
    ),
  }),
  output: Completion,
  timeoutMs: 70_000, // a model has 60 s
});

import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { Uuid } from "../common.ts";
import { Provider } from "./llm-config.ts";
import { ByokDenial, SlotDenial } from "./slots.ts";

/** Whose key a model is called with: the organization's own, or the platform's. */
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

/** How a call of a model came to nothing; no word of the provider is in it. */
export const ModelFailure = t.Object({
  kind: words(FAILURE_KINDS),
  status: t.Optional(t.Integer({ description: "Of the provider's answer" })),
  retry_after_seconds: t.Optional(t.Integer()),
});
export type ModelFailure = Static<typeof ModelFailure>;

/** What became of a call. A model that refuses to answer has answered. */
export const Completion = t.Union([
  t.Object({
    outcome: t.Literal("completed"),
    source: Source,
    provider: Provider,
    model: t.String(),
    text: t.String(),
    finish: words(["stop", "length", "refused", "other"]),
    usage: t.Object({
      input_tokens: t.Integer({ description: "0 where the provider doesn't tell" }),
      output_tokens: t.Integer(),
    }),
  }),
  t.Object({ outcome: t.Literal("denied"), denial: t.Union([ByokDenial, SlotDenial]) }),
  t.Object({ outcome: t.Literal("failed"), source: Source, failure: ModelFailure }),
  t.Object({
    outcome: t.Literal("unconfigured", { description: "Neither a key of one's own nor a platform model" }),
  }),
]);
export type Completion = Static<typeof Completion>;

/**
 * Has a model answer a prompt: with the organization's own key, else with the platform's, which takes the
 * slot of `job_id` and gives it back unless the model answered. However often a job asks, it is one slot.
 */
export const CreateCompletion = defineRequest("quota.completions.create", {
  input: t.Object({
    org_id: Uuid,
    job_id: Uuid,
    system: t.Optional(t.String({ maxLength: 100_000 })),
    prompt: t.String({ minLength: 1, maxLength: 1_000_000 }),
    max_tokens: t.Optional(
      t.Integer({
        minimum: 1,
        maximum: 32_000,
        description:
          "What it may write, thinking included; as much as is usual with its provider when absent",
      }),
    ),
  }),
  output: Completion,
  timeoutMs: 70_000, // a model has 60 s
});

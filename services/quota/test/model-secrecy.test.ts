import { describe, expect, test } from "bun:test";

import { join } from "node:path";

import { PROVIDERS } from "@leeway/shared/contracts/quota/llm-config";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { runProgram } from "@leeway/shared/testing/testing";
import fc from "fast-check";

import { askModel } from "../src/model/ask-model.ts";
import { startModelServer } from "./support/model-server.ts";
import { MODEL } from "./support/models.ts";

const here = (file: string): string => JSON.stringify(join(import.meta.dir, file));
const KEY = "sk-Canary7hunter2hunter2";
const PROMPT = "WhatNobodyMayRead";
const SAID = "WhatTheModelSaid";

describe.each(PROVIDERS)("whatever %s answers,", (provider) => {
  const status = fc.oneof(
    fc.constantFrom(200, 201, 400, 401, 429, 500, 529),
    fc.integer({ min: 200, max: 599 }),
  );
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(
        fc.constantFrom(
          "choices",
          "content",
          "candidates",
          "output",
          "usage",
          "error",
          "message",
          "stopReason",
        ),
        fc.jsonValue(),
      )
      .map((value) => JSON.stringify(value)),
  );
  const headers = fc.dictionary(
    fc.constantFrom("retry-after", "content-type", "x-amzn-errortype"),
    fc.string({ unit: "grapheme-ascii" }),
  );

  test("the result is a text or one of our failures, without anything that was sent", async () => {
    await fc.assert(
      fc.asyncProperty(status, body, headers, async (status, body, headers) => {
        const egress: Egress = {
          check: async () => undefined,
          fetch: async () =>
            new Response([204, 205, 304].includes(status) ? null : `${body}${status === 400 ? KEY : ""}`, {
              status,
              headers,
            }),
        };
        const connection = { provider, model: MODEL, baseUrl: "https://models.example.com", apiKey: KEY };
        const asked = await askModel(
          egress,
          connection,
          { system: undefined, prompt: PROMPT, maxTokens: 10 },
          { deadlineMs: 5_000, signal: undefined },
        );
        const shown = JSON.stringify(asked);
        if (asked.answered) expect(typeof asked.answer.text).toBe("string");
        else expect(Object.keys(asked.failure)).not.toContain("message");
        expect(shown).not.toContain(KEY);
        expect(shown).not.toContain(PROMPT);
      }),
      { numRuns: 300 },
    );
  });
});

test("keys, prompts and answers are in no log, and calls ignore the process environment", async () => {
  const decoy = await startModelServer();
  const elsewhere = decoy.baseUrl("openai_compatible");
  const { exitCode, stdout, stderr } = await runProgram(
    `import { createEgress } from "@leeway/shared/security/egress/egress";
     import { createLogger } from "@leeway/shared/platform/telemetry/log";
     import { createModels } from ${here("../src/completions/complete.ts")};
     import * as model from ${here("support/model-server.ts")};
     import { countingSlots, platformOf, PROVIDERS } from ${here("support/models.ts")};
     const { KEY, PROMPT, SAID } = process.env;
     const server = await model.startModelServer(KEY);
     const egress = createEgress({ allow: [server.host, ${JSON.stringify(decoy.host)}] });
     const log = createLogger("test", "debug");
     const database = { transaction: async () => undefined };
     let calls = 0;
     for (const provider of PROVIDERS) {
       const platform = platformOf(server, provider);
       const deps = { database, egress, log, platform, slots: countingSlots() };
       const patient = createModels({ ...deps, deadlineMs: 10_000 });
       const hasty = createModels({ ...deps, deadlineMs: 300 });
       const ways = [undefined, model.says(SAID), model.says(SAID, "refused"), model.fails(400, {}, SAID),
         model.fails(401, {}, SAID), model.fails(429, { "retry-after": SAID }, SAID), model.fails(529, {}, SAID),
         model.answers(200, SAID), model.answers(302, SAID, { location: "http://" + SAID }), model.cuts,
         model.resets, model.hangs, model.trickles];
       for (const way of ways) {
         if (way) server.answerWith(way); else server.answerAsUsual();
         const job = { org_id: crypto.randomUUID(), job_id: crypto.randomUUID() };
         const { complete } = way === model.hangs || way === model.trickles ? hasty : patient;
         const { outcome } = await complete({ ...job, system: PROMPT, prompt: PROMPT });
         if (!way && outcome !== "completed") console.error(provider + " isn't asked with its key");
         calls += 1;
       }
     }
     await server.stop();
     console.error("calls: " + calls);`,
    {
      KEY,
      PROMPT,
      SAID,
      ...Object.fromEntries(
        ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"].map(
          (name) => [name, elsewhere],
        ),
      ),
      ...Object.fromEntries(
        [
          "OPENAI_API_KEY",
          "ANTHROPIC_API_KEY",
          "ANTHROPIC_AUTH_TOKEN",
          "AZURE_API_KEY",
          "AZURE_RESOURCE_NAME",
          "GOOGLE_GENERATIVE_AI_API_KEY",
          "AWS_BEARER_TOKEN_BEDROCK",
          "AWS_ACCESS_KEY_ID",
          "AWS_SECRET_ACCESS_KEY",
          "AWS_REGION",
        ].map((name) => [name, "ours"]),
      ),
    },
  );
  await decoy.stop();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `calls: ${PROVIDERS.length * 13}\n` });
  expect(decoy.requests).toEqual([]);
  expect(stdout).toContain("the model didn't answer");
  for (const secret of [KEY, PROMPT, SAID]) expect(stdout).not.toContain(secret);
});

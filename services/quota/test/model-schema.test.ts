import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { PutLlmConfig, type Provider } from "@leeway/shared/contracts/quota/llm-config";

import * as model from "./support/model-server.ts";
import {
  countingSlots,
  newOrg,
  platformOf,
  PROVIDERS,
  question,
  startTestModels,
  llmConfigOf,
  type TestModels,
} from "./support/models.ts";

/** Time limit, long enough for a busy machine to reach the model. */
const ENDLESS_MS = 600;
const SAID = { summary: "The queue is replaced.", findings: [{ id: "R01:a_b.c", explanation: "Gone." }] };

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["summary"],
  properties: {
    summary: { type: "string", maxLength: 600, description: "In short" },
    findings: {
      type: "array",
      maxItems: 10,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id"],
        properties: { id: { type: "string" }, check: { type: "string", minLength: 1 } },
      },
    },
  },
};
/** Without bounds, and with everything required. */
const PORTABLE = {
  type: "object",
  additionalProperties: false,
  required: ["summary", "findings"],
  properties: {
    summary: { type: "string", description: "In short" },
    findings: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id", "check"],
        properties: { id: { type: "string" }, check: { type: "string" } },
      },
    },
  },
};

let service: TestModels;
let server: model.ModelServer;

beforeAll(async () => {
  service = await startTestModels();
  ({ server } = service);
});
afterAll(() => service.stop());
beforeEach(() => {
  server.answerAsUsual();
  server.requests.length = 0;
});

const asked = () => ({ ...question(), schema: SCHEMA });
const lastSent = (): object => JSON.parse(server.requests.at(-1)?.body ?? "{}");

const OPENAI = {
  response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: PORTABLE } },
};
/** Structured output as each provider documents it. */
const MECHANISMS: Readonly<Record<Provider, object>> = {
  openai: OPENAI,
  azure_openai: OPENAI,
  openai_compatible: OPENAI,
  anthropic: {
    tools: [{ name: "json", input_schema: PORTABLE }],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
  },
  google: { generationConfig: { responseMimeType: "application/json", responseJsonSchema: PORTABLE } },
  bedrock: {
    toolConfig: {
      tools: [{ toolSpec: { name: "json", inputSchema: { json: PORTABLE } } }],
      toolChoice: { any: {} },
    },
  },
};

describe.each(PROVIDERS)("structured output from %s", (provider) => {
  function platformModels() {
    const slots = countingSlots();
    const platform = platformOf(server, provider);
    return { slots, models: service.models({ slots, platform, deadlineMs: ENDLESS_MS }) };
  }

  test("uses the provider's documented field and returns JSON", async () => {
    const org = await service.orgWithKey(provider);
    server.answerWith(model.says(JSON.stringify(SAID)));
    const completion = await service.call(CreateCompletion, { ...org, ...asked() });
    expect(lastSent()).toMatchObject(MECHANISMS[provider]);
    expect(JSON.parse("text" in completion ? completion.text : "")).toEqual(SAID);
    expect(completion).toMatchObject({ outcome: "completed", finish: "stop" });
  });

  test.each([400, 422])("is retried without a schema after %d, on one slot", async (status) => {
    const { slots, models } = platformModels();
    server.answerWith(model.knowsNoSchema(model.says(model.STRUCTURED), status));
    const completion = await models.complete({ ...newOrg(), ...asked() });
    expect(completion).toMatchObject({ outcome: "completed", text: model.STRUCTURED });
    expect(server.requests).toHaveLength(2);
    for (const key of ["response_format", "tools", "toolConfig"]) expect(lastSent()).not.toHaveProperty(key);
    expect(slots.asked).toEqual(["reserve", "consume"]);
  });

  test.each([
    ["400 whatever is asked", model.fails(400), 2],
    ["429", model.fails(429), 1],
    ["500", model.fails(500), 1],
    ["a hang", model.hangs, 1],
    ["a cut body", model.cuts, 1],
    ["400 to the schema and 500 then", model.knowsNoSchema(model.fails(500)), 2],
    ["400 to the schema and a hang then", model.knowsNoSchema(model.hangs), 2],
  ] as const)("%s releases the slot", async (_, answer, requests) => {
    const { slots, models } = platformModels();
    server.answerWith(answer);
    expect(await models.complete({ ...newOrg(), ...asked() })).toMatchObject({ outcome: "failed" });
    expect(slots.asked).toEqual(["reserve", "release"]);
    expect(server.requests).toHaveLength(requests);
  });
});

test("Anthropic models with native structured output get no tool", async () => {
  const org = newOrg();
  const input = { ...llmConfigOf(server, "anthropic"), model: "claude-sonnet-4-5" };
  await service.call(PutLlmConfig, { ...org, ...input, validate: false });
  const completion = await service.call(CreateCompletion, { ...org, ...asked() });
  expect(completion).toMatchObject({ outcome: "completed", text: model.STRUCTURED });
  expect(lastSent()).toMatchObject({ output_config: { format: { type: "json_schema", schema: PORTABLE } } });
  expect(lastSent()).not.toHaveProperty("tools");
});

test("a call repeated without a schema counts only once against the key", async () => {
  const org = await service.orgWithKey("openai_compatible");
  server.answerWith(model.knowsNoSchema(model.fails(500)));
  await service.call(CreateCompletion, { ...org, ...asked() });
  expect(await service.breakerOf(org)).toMatchObject({ consecutive_failures: 1 });
});

test("an unknown Google key isn't retried without a schema", async () => {
  const org = newOrg();
  const input = { ...llmConfigOf(server, "google"), api_key: "wrong" };
  await service.call(PutLlmConfig, { ...org, ...input, validate: false });
  await service.call(CreateCompletion, { ...org, ...asked() });
  expect(server.requests).toHaveLength(1);
});

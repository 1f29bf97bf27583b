import { expect, test } from "bun:test";

import { join } from "node:path";

import { loadConfig } from "@leeway/shared/platform/config";
import { testBusKeys } from "@leeway/shared/testing/testing";

import { VARIABLES } from "../src/config.ts";
import { platformModel } from "../src/model/platform-model.ts";

const read = (env: Record<string, string>) =>
  platformModel(
    loadConfig(VARIABLES, {
      DATABASE_URL: "postgres://localhost/leeway",
      NATS_URL: "nats://localhost",
      LEEWAY_MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
      LEEWAY_BUS_KEYS: testBusKeys("quota"),
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [`PLATFORM_LLM_${name}`, value])),
    }),
  );

test("no settings mean no model and no error", () => {
  expect(read({})).toBeUndefined();
});

test.each([
  [
    { PROVIDER: "anthropic", API_KEY: "k" },
    { provider: "anthropic", apiKey: "k" },
  ],
  [
    { PROVIDER: "azure_openai", API_KEY: "k", MODEL: "d", BASE_URL: "https://a.openai.azure.com/" },
    { model: "d", baseUrl: "https://a.openai.azure.com" },
  ],
  [
    { PROVIDER: "openai_compatible", MODEL: "m", BASE_URL: "http://127.0.0.1:11434/v1" },
    { apiKey: undefined, baseUrl: "http://127.0.0.1:11434/v1" },
  ],
] as const)("%j is sufficient", (env, model) => {
  expect(read(env)).toMatchObject(model);
});

test.each([
  [{ API_KEY: "secret" }, "PLATFORM_LLM_PROVIDER is required for the other PLATFORM_LLM_ variables"],
  [{ PROVIDER: "secret" }, "PLATFORM_LLM_PROVIDER must be one of"],
  [{ PROVIDER: "openai", MODEL: "secret" }, "PLATFORM_LLM_API_KEY is required for openai"],
  [{ PROVIDER: "bedrock", API_KEY: "secret", MODEL: "m" }, "PLATFORM_LLM_BASE_URL is required for bedrock"],
  [
    { PROVIDER: "bedrock", API_KEY: "secret", BASE_URL: "https://b.example.com" },
    "PLATFORM_LLM_MODEL is required for bedrock",
  ],
  [
    { PROVIDER: "openai_compatible", MODEL: "secret" },
    "PLATFORM_LLM_BASE_URL is required for openai_compatible",
  ],
])("%j stops the service and names the wrong variable", (env, message) => {
  expect(() => read(env)).toThrow(message);
  expect(() => read(env)).not.toThrow("secret");
});

test("a missing variable is reported at once, before waiting for PostgreSQL and NATS", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../src/main.ts")], {
    env: {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/leeway",
      NATS_URL: "nats://127.0.0.1:1",
      LEEWAY_MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
      LEEWAY_BUS_KEYS: testBusKeys("quota"),
      PLATFORM_LLM_PROVIDER: "openai",
    },
    stdout: "pipe",
    timeout: 15_000,
  });
  const [said, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining("PLATFORM_LLM_API_KEY") });
}, 20_000);

import { expect, test } from "bun:test";

import { connectionOf } from "./connection.ts";

const URL = "https://models.example.com/v1";

test.each(["anthropic", "openai", "google"] as const)("%s needs only a key", (provider) => {
  expect(connectionOf({ provider })).toEqual({ provider, model: expect.any(String) });
  expect(connectionOf({ provider, model: "m", base_url: URL })).toEqual({
    provider,
    model: "m",
    baseUrl: URL,
  });
});

test.each([
  [{ provider: "azure_openai", base_url: URL, options: { deployment: "d" } }, "d"],
  [{ provider: "azure_openai", base_url: URL, model: "m", options: { api_version: "2024-10-21" } }, "m"],
  [{ provider: "bedrock", model: "m", options: { region: "eu-central-1" } }, "m"],
  [{ provider: "bedrock", model: "m", base_url: URL }, "m"],
  [{ provider: "openai_compatible", model: "m", base_url: URL }, "m"],
] as const)("%j is sufficient", (input, model) => {
  expect(connectionOf(input)).toMatchObject({ provider: input.provider, model });
});

test.each([
  [{ provider: "azure_openai", model: "m" }, "base_url is required for azure_openai"],
  [{ provider: "azure_openai", base_url: URL }, "model is required for azure_openai"],
  [{ provider: "bedrock", model: "m" }, "options.region is required for bedrock"],
  [{ provider: "bedrock", options: { region: "eu-central-1" } }, "model is required for bedrock"],
  [{ provider: "openai_compatible", model: "m" }, "base_url is required for openai_compatible"],
  [{ provider: "openai_compatible", base_url: URL }, "model is required for openai_compatible"],
  [
    { provider: "openai", options: { region: "eu-central-1" } },
    "options.region isn't an option of openai; remove it",
  ],
  [
    { provider: "bedrock", options: { deployment: "d" } },
    "options.deployment isn't an option of bedrock; remove it",
  ],
] as const)("%j is refused", (input, message) => {
  expect(() => connectionOf(input)).toThrow(message);
});

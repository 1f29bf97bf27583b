import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import {
  DeleteLlmConfig,
  GetLlmConfig,
  PutLlmConfig,
  type LlmConfigInput,
} from "@leeway/shared/contracts/quota/llm-config";
import { PurgeQuota } from "@leeway/shared/contracts/quota/plans";
import { rewrapColumns } from "@leeway/shared/security/encryption/rewrap";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { failureOf } from "@leeway/shared/testing/testing";
import fc from "fast-check";

import * as model from "./support/model-server.ts";
import {
  MODEL,
  newOrg,
  PROVIDERS,
  question,
  RING,
  startTestModels,
  llmConfigOf,
  type TestModels,
} from "./support/models.ts";

let service: TestModels;
let server: model.ModelServer;

beforeAll(async () => {
  service = await startTestModels();
  ({ server } = service);
});
afterAll(() => service.stop());
beforeEach(() => server.answerAsUsual());

const put = (org: { org_id: string }, input: LlmConfigInput, validate?: boolean) =>
  service.call(PutLlmConfig, { ...org, ...input, ...(validate !== undefined && { validate }) });
const rowsOf = ({ org_id }: { org_id: string }) =>
  service.db.admin`select * from quota.llm_configs where org_id = ${org_id}`;

const compatible = (base_url: string): LlmConfigInput => ({
  provider: "openai_compatible",
  api_key: "k",
  model: MODEL,
  base_url,
});

const use = async (org: { org_id: string }): Promise<unknown> =>
  service.call(CreateCompletion, { ...org, ...question() });
const unusable = { outcome: "failed", source: "byok", failure: { kind: "unusable" } };
const store = async ({ org_id }: { org_id: string }, sealed: Uint8Array): Promise<void> => {
  await service.db.admin`
    update quota.llm_configs
       set sealed_key = ${Buffer.from(sealed)}, failures = 0, trips = 0, retry_at = null, leased_until = null
     where org_id = ${org_id}
  `;
};
const sealedOf = async (org: { org_id: string }): Promise<Buffer> => {
  const [row] = await rowsOf(org);
  return Buffer.from(row?.["sealed_key"]);
};

describe.each(PROVIDERS)("an API key for %s", (provider) => {
  test("is stored when the provider accepts a request for one token", async () => {
    const org = newOrg();
    const asked = server.requests.length;
    const input = llmConfigOf(server, provider);
    const { base_url = "", options } = input;
    const shown = await put(org, input);
    expect(shown).toEqual({
      provider,
      model: MODEL,
      base_url,
      ...(options && { options }),
      key_hint: `…${server.key.slice(-4)}`,
      key_fingerprint: `sha256:${new Bun.CryptoHasher("sha256").update(server.key).digest("hex").slice(0, 8)}`,
      created_at: expect.any(String),
      updated_at: shown.created_at,
      breaker: { state: "closed", consecutive_failures: 0 },
      created: true,
    });
    const { created: _, ...kept } = shown;
    expect(await service.call(GetLlmConfig, org)).toEqual(kept);
    expect(server.requests).toHaveLength(asked + 1);
    expect(server.requests.at(-1)?.body).toMatch(
      /"(?:max_(?:completion_)?tokens|maxOutputTokens|maxTokens)":1\b/,
    );
  });

  test("is refused when the provider rejects it", async () => {
    const org = newOrg();
    const wrong = { ...llmConfigOf(server, provider), api_key: "key-that-nobody-knows" };
    expect(await failureOf(put(org, wrong))).toMatchObject({ code: "credential_rejected" });
    expect(await rowsOf(org)).toHaveLength(0);
  });
});

test.each([
  ["401", model.fails(401), "credential_rejected"],
  ["403", model.fails(403), "credential_rejected"],
  ["429", model.fails(429, { "retry-after": "30" }), "provider_unavailable"],
  ["500", model.fails(500), "provider_unavailable"],
  ["529", model.fails(529), "provider_unavailable"],
  ["a reset", model.resets, "provider_unavailable"],
  ["a cut stream", model.cuts, "provider_unavailable"],
  ["a redirect", model.answers(302, "", { location: "http://127.0.0.1:1/" }), "provider_unavailable"],
  ["an invalid response", model.answers(200, "hello"), "provider_unavailable"],
  ["404", model.fails(404), "invalid_parameter"],
  ["400", model.fails(400), "invalid_parameter"],
] as const)("a trial that gets %s returns %p%p and keeps the previous key", async (_, answer, code) => {
  const org = newOrg();
  const { created: _created, ...before } = await put(org, llmConfigOf(server, "anthropic"));
  server.answerWith(answer);
  const failure = await failureOf(put(org, { ...llmConfigOf(server, "openai"), api_key: "another-key" }));
  expect(failure).toMatchObject({ code });
  expect(Bun.inspect(failure)).not.toContain("another-key");
  expect(await service.call(GetLlmConfig, org)).toEqual(before);
});

test.each([
  ["402", model.fails(402), "credential_rejected"],
  ["Anthropic's 400", model.fails(400, {}, "Your credit balance is too low"), "credential_rejected"],
  [
    "OpenAI's 429",
    model.answers(429, '{"error":{"message":"-","code":"insufficient_quota"}}'),
    "provider_unavailable",
  ],
] as const)("a key without credit is reported as such after %s", async (_, answer, code) => {
  server.answerWith(answer);
  const failure = await failureOf(put(newOrg(), llmConfigOf(server, "anthropic")));
  const message = "the provider account of this api_key has no credit left; add credit or use another key";
  expect(failure).toMatchObject({ code, message });
});

test.each([
  ["openai_compatible", "model"],
  ["azure_openai", "options.deployment"],
] as const)("a 404 from %s names the base URL or the %s as the cause", async (provider, field) => {
  server.answerWith(model.fails(404));
  const failure = await failureOf(put(newOrg(), llmConfigOf(server, provider)));
  const message = "isn't available with this api_key, or base_url is wrong";
  expect(failure).toMatchObject({
    code: "invalid_parameter",
    details: [{ field, code: "unknown", message }],
  });
});

test("a provider's Retry-After is passed on", async () => {
  server.answerWith(model.fails(429, { "retry-after": "30" }));
  const failure = await failureOf(put(newOrg(), llmConfigOf(server, "openai")));
  expect(failure).toMatchObject({ code: "provider_unavailable", retryAfterSeconds: 30 });
});

test("a key is accepted when the model uses its one token for thinking", async () => {
  server.answerWith(model.fails(400, {}, "max_tokens or model output limit was reached"));
  expect(await put(newOrg(), llmConfigOf(server, "openai"))).toMatchObject({ provider: "openai" });
});

test("validate=false makes no call", async () => {
  server.answerWith(model.fails(401));
  const asked = server.requests.length;
  expect(await put(newOrg(), llmConfigOf(server, "google"), false)).toMatchObject({ provider: "google" });
  expect(server.requests).toHaveLength(asked);
});

test("setting another key replaces everything except the creation date", async () => {
  const org = newOrg();
  const first = await put(org, llmConfigOf(server, "bedrock"));
  await service.call(CreateCompletion, { ...org, ...question() });
  const { base_url: _, options: __, ...plain } = llmConfigOf(server, "anthropic");
  const second = await put(org, { ...plain, api_key: "short" }, false);
  expect(second).toEqual({
    provider: "anthropic",
    model: MODEL,
    key_hint: "…",
    key_fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{8}$/),
    created_at: first.created_at,
    updated_at: expect.any(String),
    breaker: { state: "closed", consecutive_failures: 0 },
    created: false,
  });
  expect(await rowsOf(org)).toHaveLength(1);
});

test("only one of several concurrent keys counts as created", async () => {
  const org = newOrg();
  const all = await Promise.all(Array.from({ length: 10 }, () => put(org, llmConfigOf(server, "openai"))));
  expect(all.filter(({ created }) => created)).toHaveLength(1);
});

test("a deleted key leaves no trace, and deleting it again gives not_found", async () => {
  const org = newOrg();
  await put(org, llmConfigOf(server, "openai"));
  const [{ sealed_key: sealed } = {}] = await rowsOf(org);
  expect(await service.call(DeleteLlmConfig, org)).toEqual({ provider: "openai" });
  const missing = { code: "llm_config_not_found" };
  expect(await failureOf(service.call(GetLlmConfig, org))).toMatchObject(missing);
  expect(await failureOf(service.call(DeleteLlmConfig, org))).toMatchObject(missing);
  const tables = await service.db.admin<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
  `;
  for (const { name } of tables) {
    const found = await service.db.admin.unsafe(`select 1 from ${name} t where t::text like $1`, [
      `%${Buffer.from(sealed).subarray(-40).toString("hex")}%`,
    ]);
    expect(found, name).toHaveLength(0);
  }
});

test("a purged organization has no key", async () => {
  const org = newOrg();
  await put(org, llmConfigOf(server, "openai"));
  await service.call(PurgeQuota, org);
  expect(await rowsOf(org)).toHaveLength(0);
});

describe("a base URL", () => {
  test.each([
    "http://models.example.com/v1",
    "https://127.0.0.1/v1",
    "https://[::1]/v1",
    "https://10.1.2.3",
    "https://169.254.169.254/latest",
    "https://2130706433/",
    "https://[::ffff:127.0.0.1]/",
    "https://localhost/v1",
    "https://metadata.google.internal/",
    "ftp://models.example.com/",
    "models.example.com",
  ])("like %s is refused, with or without a trial", async (base_url) => {
    for (const validate of [true, false]) {
      const failure = await failureOf(put(newOrg(), compatible(base_url), validate));
      expect(failure).toMatchObject({
        code: "invalid_parameter",
        details: [{ field: "base_url", code: expect.stringMatching(/^(?:not_public|unreachable)$/) }],
      });
    }
  });

  test.each([
    ["https://user:secret@models.example.com/", "must be a URL without user, query or fragment"],
    [
      "https://a.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
      "must be a URL without user, query or fragment",
    ],
    ["https://1.1.1.1:8443/v1", "must be public https on port 443"],
    ["https://10.1.2.3/v1", "must be public https"],
  ])("%s is refused with the reason", async (base_url, message) => {
    const failure = await failureOf(put(newOrg(), compatible(base_url), false));
    expect(failure).toMatchObject({ code: "invalid_parameter", details: [{ field: "base_url", message }] });
    expect(Bun.inspect(failure)).not.toContain("secret");
  });

  test("is stored without a trailing slash", async () => {
    const shown = await put(newOrg(), compatible(`${server.baseUrl("openai_compatible")}//`), false);
    expect(shown.base_url).toBe(server.baseUrl("openai_compatible"));
  });

  test("that is no longer allowed is refused at use, and never gets the key", async () => {
    const org = newOrg();
    await put(org, llmConfigOf(server, "openai_compatible"));
    const { org_id } = org;
    await service.db.admin`
      update quota.llm_configs set base_url = 'http://127.0.0.1:1/v1' where org_id = ${org_id}
    `;
    expect(await service.call(CreateCompletion, { ...org, ...question() })).toEqual({
      outcome: "failed",
      source: "byok",
      failure: { kind: "unusable" },
    });
  });
});

test.each([
  [{ provider: "openai", api_key: "" }, "api_key"],
  [{ provider: "bedrock", api_key: " ", model: MODEL, options: { region: "eu-central-1" } }, "api_key"],
  [{ provider: "openai", api_key: "a b" }, "api_key"],
  [{ provider: "openai", api_key: "a\r\nx-injected: 1" }, "api_key"],
  [{ provider: "openai", api_key: "k", model: "a b" }, "model"],
  [{ provider: "bedrock", api_key: "k", model: MODEL, options: { region: "x.evil.com/" } }, "options.region"],
  [{ provider: "mistral", api_key: "k" }, "provider"],
  [{ provider: "openai", api_key: "k", options: { colour: "red" } }, "options.colour"],
  [{ provider: "openai" }, "api_key"],
  [{ provider: "openai_compatible", api_key: "k", model: MODEL }, "base_url"],
])("%j is refused because of %s", async (input, field) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an untyped client could send this
  const failure = await failureOf(put(newOrg(), input as LlmConfigInput, false));
  expect(failure).toMatchObject({ code: "invalid_parameter", details: [{ field }] });
});

describe("an encrypted key", () => {
  test("can't be used with any byte changed", async () => {
    const org = newOrg();
    await put(org, llmConfigOf(server, "openai"));
    const sealed = await sealedOf(org);
    const asked = server.requests.length;
    const change = fc.record({
      at: fc.integer({ min: 0, max: sealed.length - 1 }),
      by: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, by }) => {
        const broken = Buffer.from(sealed);
        broken[at] = (broken[at] ?? 0) ^ by;
        await store(org, broken);
        expect(await use(org)).toEqual(unusable);
      }),
      { numRuns: sealed.length },
    );
    expect(server.requests).toHaveLength(asked);
    await store(org, sealed);
    expect(await use(org)).toMatchObject({ outcome: "completed" });
  }, 60_000); // each byte is a case

  test("can't be used in another organization or in place of a newer key", async () => {
    const [one, other] = [newOrg(), newOrg()];
    await put(one, llmConfigOf(server, "openai"));
    await put(other, llmConfigOf(server, "openai"));
    const sealed = await sealedOf(one);
    await store(other, sealed);
    expect(await use(other)).toEqual(unusable);
    await put(one, llmConfigOf(server, "openai"));
    await store(one, sealed);
    expect(await use(one)).toEqual(unusable);
  });

  test("is re-encrypted with a new master key without being decrypted", async () => {
    const org = newOrg();
    await put(org, llmConfigOf(server, "openai"));
    const fresh = `new:${Buffer.alloc(32, 9).toString("base64")}`;
    const old = RING.all.map(({ id, secret }) => `${id}:${secret.toString("base64")}`);
    const ring = parseKeyRing([fresh, ...old].join());
    const column = { table: "quota.llm_configs", column: "sealed_key", idColumns: ["id"] };
    const [outcome] = await rewrapColumns(service.db.adminUrl, ring, [column]);
    expect(outcome?.rewrapped).toBeGreaterThan(0);
    expect((await sealedOf(org)).toString("latin1")).toContain("new");
    expect(await use(org)).toEqual(unusable); // this service doesn't have the new master key
  });
});

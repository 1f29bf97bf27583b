import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { PROVIDERS } from "@leeway/shared/contracts/quota/llm-config";
import { testBus } from "@leeway/shared/testing/testing";

import { OPERATOR_TOKEN, type Answered } from "../../services/gateway/test/support/gateway.ts";
import { ndjson } from "../../services/inventory/test/kit.ts";
import * as model from "../../services/quota/test/support/model-server.ts";
import { ACCESS_KEY, serveAws, type Answer } from "@leeway/connectors/aws/aws.fixture";
import { llmConfigOf } from "../../services/quota/test/support/models.ts";
import { PLAIN, secret, secrets, secretsOf, shownIn } from "./canaries.ts";
import { startProcesses, type Processes } from "./processes.ts";
import { refusedDocuments, refusedModels, refusedRequests, refusedWebhooks } from "./refused-secrets.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { accountsWithCredentials, APPLICATION, SUBSCRIPTION } from "./secret-credentials.ts";
import { plannerEventsOf, secretListings, secretProperties, secretStates } from "./secret-documents.ts";

/** A cloud account, and the answer to every call but `GetCallerIdentity`. */
const CLOUD_ACCOUNT = "444444444444";
let cloudAnswer: () => Answer;
const cloud = serveAws(({ action }) =>
  action === "sts:GetCallerIdentity" ? { body: { Arn: "arn", Account: CLOUD_ACCOUNT } } : cloudAnswer(),
);

let statesPort: number;
let processes: Processes;
let bus: BusConnection;
let server: model.ModelServer;
let org: string;
let key: string;
let orgId: string;
/** Every answer, headers included. */
const answers: string[] = [];

beforeAll(async () => {
  server = await model.startModelServer(secret("a model key"));
  statesPort = await freePort();
  const egressAllow = [server.host, new URL(cloud.endpoint).host, `127.0.0.1:${statesPort}`].join();
  processes = await startProcesses(egressAllow, { AWS_ENDPOINT_URL: cloud.endpoint });
  bus = await testBus("onlooker");
  const made = await processes.ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: PLAIN } });
  orgId = made.body.org.id;
  org = `/api/v2/orgs/${orgId}`;
  key = made.body.api_key.key;
  secrets.set("the API key", key.slice(16)); // answers show its prefix
});
afterAll(async () => {
  await bus.nats.close();
  await server.stop();
  await cloud[Symbol.asyncDispose]();
});

type Sent = { body?: unknown; headers?: Record<string, string>; as?: string };

async function ask(method: string, path: string, { as = key, ...rest }: Sent = {}): Promise<Answered> {
  const answered = await processes.ask(method, org + path, { as, ...rest });
  answers.push(`${method} ${answered.text} ${JSON.stringify([...answered.headers])}`);
  return answered;
}

const account = async (external_id: string, more: object = {}, provider = "aws"): Promise<string> =>
  (await ask("POST", "/cloud-accounts", { body: { provider, external_id, ...more } })).body.id;

test("secrets in listings of every kind are in no row, response or log", async () => {
  for (const { provider, external_id, body } of secretListings()) {
    const id = await account(external_id, {}, provider);
    const { status, text } = await ask("PUT", `/cloud-accounts/${id}/listing`, { body });
    expect(status, text).toBe(202);
  }
  const { body } = await ask("GET", "/resources");
  expect(body.data).toHaveLength(5);
  for (const { id } of body.data) {
    const { text } = await ask("GET", `/resources/${id}`);
    expect(text).toContain(PLAIN); // other text stays readable
    expect(text).toContain("[redacted]");
  }
});

test("secrets in states are in no row, response or log", async () => {
  for (const [name, document] of Object.entries(secretStates())) {
    const source = (await ask("POST", "/iac-sources", { body: { name } })).body.id;
    const { status, text } = await ask("PUT", `/iac-sources/${source}/state`, { body: document });
    expect(status, text).toBe(200);
  }
  const { body } = await ask("GET", "/iac-resources");
  for (const { id } of body.data) await ask("GET", `/iac-resources/${id}`);
});

test("an account's credentials are encrypted, and only their kind is shown", async () => {
  const of = secretsOf("credentials");
  for (const [index, body] of accountsWithCredentials(of).entries()) {
    const headers = { "idempotency-key": `key-${index}` };
    const { credentials } = body;
    const made = await ask("POST", "/cloud-accounts", { body, headers });
    expect(made.body.credentials).toEqual({ kind: credentials.kind });
    await ask("POST", "/cloud-accounts", { body, headers });
    await ask("PATCH", `/cloud-accounts/${made.body.id}`, { body: { credentials } });
    await ask("POST", "/cloud-accounts", { body }); // already exists
  }
});

test("secrets of backends and of their states are in no row, response or log", async () => {
  const of = secretsOf("a backend");
  const [state = {}] = Object.values(secretStates());
  for (const [name, answered] of [
    ["read", () => Response.json(state)],
    ["refused", () => new Response(of("what a host says"), { status: 403 })],
  ] as const) {
    using host = Bun.serve({ port: statesPort, hostname: "127.0.0.1", fetch: answered });
    const backend = {
      type: "http",
      address: `http://127.0.0.1:${host.port}/${name}`,
      username: "ci",
      password: of(name),
    };
    const made = await ask("POST", "/iac-sources", { body: { name: `${name} by itself`, backend } });
    expect(made.status, made.text).toBe(201);
    const read = await ask("POST", `/iac-sources/${made.body.id}/read`);
    expect(read.body.last_error?.code).toBe(name === "read" ? undefined : "permission_denied");
    await ask("PATCH", `/iac-sources/${made.body.id}`, { body: { backend } });
    await host.stop(true);
  }
});

test("a cloud's messages about resources or credentials are in no row, response or log", async () => {
  const of = secretsOf("a cloud");
  const id = await account(CLOUD_ACCOUNT, {
    credentials: { kind: "static", access_key_id: ACCESS_KEY.accessKeyId, secret_access_key: of("the key") },
  });
  const row = (name: string) => ({
    provider_resource_id: `arn:aws:sqs:eu-west-1:${CLOUD_ACCOUNT}:${name}`,
    provider_type: "AWS::SQS::Queue",
    region: "eu-west-1",
    name,
  });
  await ask("PUT", `/cloud-accounts/${id}/listing`, { body: ndjson([row("read"), row("refused")]) });
  const enrich = (name: string) =>
    ask("POST", `/resources/${encodeURIComponent(row(name).provider_resource_id)}/enrich`);
  const properties = JSON.stringify(secretProperties("enrichment"));
  cloudAnswer = () => ({ body: { ResourceDescription: { Properties: properties } } });
  const { status, text } = await enrich("read");
  expect(status, text).toBe(200);
  expect(text).toContain(PLAIN);
  const codes = [
    "ResourceNotFoundException",
    "AccessDeniedException",
    "ExpiredTokenException",
    "ValidationException",
  ];
  for (const code of codes) {
    cloudAnswer = () => ({ status: 400, code, message: of(code) });
    expect((await enrich("refused")).status).toBeOneOf([422, 500]);
    expect((await ask("POST", `/cloud-accounts/${id}/verify`)).status).toBe(200);
  }
});

test("secrets of webhooks and in their events are in no row, response or log", async () => {
  const of = secretsOf("webhooks");
  const { raw_secret: raw, ...config } = (
    await processes.ask("POST", `${org}/webhooks`, { as: key, body: { source: "planner", name: PLAIN } })
  ).body;
  secrets.set("a webhook secret", raw.slice(14)); // answers show its prefix
  const rotated = (
    await processes.ask("POST", `${org}/webhooks/${config.id}/rotate-secret`, { as: key, body: {} })
  ).body;
  secrets.set("a rotated webhook secret", rotated.raw_secret.slice(14));
  const path = new URL(config.url).pathname;
  const send = async (body: string, headers: Record<string, string>): Promise<number> => {
    const answered = await processes.ask("POST", path, { body, headers });
    answers.push(`POST ${path} ${answered.text} ${JSON.stringify([...answered.headers])}`);
    return answered.status;
  };
  const event = plannerEventsOf(of);
  const signed = (body: string) => ({
    "x-planner-signature": `sha256=${new Bun.CryptoHasher("sha256", raw).update(body).digest("hex")}`,
  });
  const good = event({});
  expect(await send(good, signed(good))).toBe(202);
  const odd = event({ event: "unknown", repository: of("a repository") });
  expect(await send(odd, signed(odd))).toBe(202);
  expect(await send(of("no JSON"), {})).toBe(401);
  for (const name of ["x-planner-signature", "x-hub-signature-256", "x-vcs-token", "x-gitlab-token"])
    expect(await send(good, { [name]: of(name) })).toBe(401);
  const deliveries = `/webhooks/${config.id}/deliveries`;
  while ((await ask("GET", `${deliveries}?outcome=pending`)).body.data.length > 0) await Bun.sleep(20);
  const { body } = await ask("GET", deliveries);
  expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["ignored", "processed"]);
  for (const { id } of body.data) await ask("POST", `${deliveries}/${id}/replay`, { body: {} });
  for (const body of refusedWebhooks(of)) expect((await ask("POST", "/webhooks", { body })).status).toBe(400);
  expect(
    (await ask("PATCH", `/webhooks/${config.id}`, { body: { api_token: of("another token") } })).status,
  ).toBe(400);
});

test("model keys, prompts and answers are in no row, response or log", async () => {
  const of = secretsOf("models");
  const path = "/llm-config";
  for (const provider of PROVIDERS) {
    const input = llmConfigOf(server, provider);
    const own = `${provider}: `;
    server.answerWith(model.says());
    expect((await ask("PUT", path, { body: input })).status).toBe(200);
    const question = () => ({
      org_id: orgId,
      job_id: crypto.randomUUID(),
      system: of(`${own}a system prompt`),
      prompt: of(`${own}a prompt`),
    });
    const ends: [model.Answer, string][] = [
      [model.says(of(`${own}an answer`)), "completed"],
      [model.says(of(`${own}a refusal`), "refused"), "completed"],
      [model.fails(400, { "x-said": of(`${own}a header`) }, of(`${own}a failure`)), "failed"],
      [model.fails(401, {}, of(`${own}a rejection`)), "failed"],
      [model.fails(429, { "retry-after": of(`${own}a retry time`) }), "failed"],
      [model.says(of(`${own}another answer`)), "completed"], // a success, so that the circuit breaker doesn't open
      [model.answers(200, of(`${own}no answer`)), "failed"],
      [model.cuts, "failed"],
      [model.resets, "failed"],
    ];
    for (const [answer, outcome] of ends) {
      server.answerWith(answer);
      expect(await call(bus, CreateCompletion, question())).toMatchObject({ outcome });
    }
    for (const [answer] of ends.filter(([, outcome]) => outcome === "failed")) {
      server.answerWith(answer);
      expect((await ask("PUT", path, { body: { ...input, api_key: of(`${own}a key`) } })).status).not.toBe(
        200,
      );
    }
    await ask("GET", path);
    expect((await ask("DELETE", path)).status).toBe(204);
  }
  server.answerAsUsual();
  for (const body of refusedModels(of)) expect((await ask("PUT", path, { body })).status).toBe(400);
  const kept = { provider: "openai", api_key: of("one that is kept"), model: PLAIN };
  expect((await ask("PUT", `${path}?validate=false`, { body: kept })).status).toBe(200);
});

test("refused values aren't repeated", async () => {
  const of = secretsOf("refused");
  const target = await account("666666666666");
  const source = (await ask("POST", "/iac-sources", { body: { name: "refusing" } })).body.id;
  for (const body of refusedDocuments(of)) {
    expect((await ask("PUT", `/cloud-accounts/${target}/listing`, { body })).status).toBe(400);
    await ask("PUT", `/iac-sources/${source}/state`, { body });
  }
  for (const [method, path, body] of refusedRequests(of))
    expect((await ask(method, path, { body })).status).toBeOneOf([400, 404]);
});

test("values in a query, path or header aren't repeated", async () => {
  const of = secretsOf("sent along");
  for (const name of [
    "token",
    "q",
    "cursor",
    "account_id",
    "match",
    "seen_since",
    "limit",
    "include",
    "provider_type",
  ])
    await ask("GET", `/resources?${name}=${of(`the parameter ${name}`)}`);
  await ask("GET", `/resources/${of("a path")}`);
  await ask("GET", `/${of("an unknown path")}`);
  await ask("GET", `/cloud-accounts/${of("a wrong id")}`);
  const headers = [
    "cookie",
    "x-api-key",
    "referer",
    "user-agent",
    "accept",
    "traceparent",
    "tracestate",
    "if-none-match",
    "x-forwarded-for",
  ];
  for (const name of headers) await ask("GET", "/posture", { headers: { [name]: of(`the header ${name}`) } });
  for (const name of ["content-type", "content-encoding"])
    await ask("POST", "/scans", { body: "{}", headers: { [name]: of(`the header ${name}`) } });
  for (const as of [
    of("a token"),
    `leeway_${of("a key")}`,
    `eyJhbGciOiJSUzI1NiJ9.${of("a JWT")}.c2ln`,
    `${key}x`,
  ])
    expect((await ask("GET", "/posture", { as })).status).toBe(401);
  const operator = await processes.ask("GET", "/operator/orgs/x", { as: of("an operator's token") });
  answers.push(operator.text);
});

test("the log of an internal error names the failure without its values", async () => {
  const { admin } = processes.db;
  await admin`alter table inventory.cloud_accounts add constraint no_boom check (name <> 'boom')`;
  await admin`alter table inventory.live_resources add constraint no_boom check (name <> 'boom')`;
  const target = await account("777777777777");
  const row = {
    provider_resource_id: "a",
    provider_type: "b",
    name: "boom",
    properties: secretProperties("a failed row"),
  };
  expect((await ask("PUT", `/cloud-accounts/${target}/listing`, { body: ndjson([row]) })).status).toBe(500);
  const client_secret = secret("credentials of a failed account");
  const credentials = { kind: "static", ...APPLICATION, client_secret };
  const external_id = SUBSCRIPTION.replace("99999999", "88888888");
  const body = { provider: "azure", external_id, name: "boom", credentials };
  expect((await ask("POST", "/cloud-accounts", { body })).status).toBe(500);
});

test("lists contain none of these secrets", async () => {
  const lists = [
    "cloud-accounts",
    "iac-sources",
    "iac-resources",
    "resources",
    "scans",
    "drift-snapshots",
    "audit-log",
    "api-keys",
    "webhooks",
  ].map((list) => `${list}?limit=500`);
  for (const list of [...lists, "posture", "llm-config"])
    expect((await ask("GET", `/${list}`)).status).toBe(200);
});

test("no response contains a secret", () => {
  expect(secrets.size).toBeGreaterThan(100);
  expect(answers.filter((answer) => shownIn(answer).length > 0)).toEqual([]);
});

test("no table contains a secret in plain text", async () => {
  const tables = await processes.db.admin<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
  `;
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await processes.db.admin.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  expect(rows.filter((row) => row.includes(PLAIN)).length).toBeGreaterThan(5);
  expect(rows.filter((row) => shownIn(row).length > 0)).toEqual([]);
});

test("no stream of the bus contains a secret", async () => {
  await bus.nats.jetstream().publish(`body.inventory.${crypto.randomUUID()}.0`, PLAIN);
  const texts = await Array.fromAsync(storedTexts());
  expect(texts.filter((text) => text.includes(PLAIN))).toHaveLength(1); // the streams are read, and the text is found
  expect(texts.filter((text) => shownIn(text).length > 0)).toEqual([]);
});

/** Yields all messages of all streams, without the gaps that processed messages left. */
async function* storedTexts(): AsyncGenerator<string> {
  const manager = await bus.nats.jetstreamManager();
  for await (const { config } of manager.streams.list()) {
    const from = (seq: number) => {
      const query = { seq, next_by_subj: ">" };
      return manager.streams.getMessage(config.name, query).catch(() => undefined);
    };
    for (let found = await from(1); found; found = await from(found.seq + 1))
      yield `${found.subject} ${found.string()} ${JSON.stringify([...found.header])}`;
  }
}

test("no log line contains a secret, not even in the services' own logs", async () => {
  const said = await processes.stop();
  await processes.db.drop();
  const lines = said.split("\n").filter(Boolean);
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
  expect(said).toContain("violates check constraint");
  expect(lines.filter((line) => line.includes('"request"')).length).toBeGreaterThan(100);
  secrets.set("the operator's token", OPERATOR_TOKEN);
  secrets.set("the master key", processes.masterKey);
  secrets.set("the platform's model key", processes.platformKey);
  expect(lines.filter((line) => shownIn(line).length > 0)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { PROVIDERS } from "@leeway/shared/contracts/quota/llm-config";
import { testBus } from "@leeway/shared/testing";

import { OPERATOR_TOKEN, type Answered } from "../../services/gateway/test/support/gateway.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import * as model from "../../services/quota/test/support/model-server.ts";
import {
  ACCESS_KEY,
  serveAws,
  type Answer,
} from "../../services/inventory/src/connectors/aws/aws.fixture.ts";
import { keyFile } from "../../services/inventory/src/connectors/gcp/fake-google.fixture.ts";
import { wishOf } from "../../services/quota/test/support/models.ts";
import { startProcesses, type Processes } from "./processes.ts";

const ACCOUNT = "123456789012";
/** What no redaction has a reason to take away, wherever a secret stands beside it. */
const PLAIN = "plain-and-visible";

/** Every secret that was sent, by where. */
const secrets = new Map<string, string>();

/** A new secret, for one place. */
function secret(place: string): string {
  const value = `Canary${crypto.getRandomValues(new Uint8Array(15)).toHex()}`;
  secrets.set(place, value);
  return value;
}

const secretsOf = (what: string) => (where: string) => secret(`${what}: ${where}`);

/** The secrets of which something shows in a text: as they are, in part, or encoded. */
function shownIn(text: string): string[] {
  return [...secrets].flatMap(([place, value]) => {
    const forms = [
      value.slice(0, 15),
      Buffer.from(value).toString("hex"),
      Buffer.from(value).toString("base64").slice(0, 36),
    ];
    return forms.some((form) => text.includes(form)) ? [place] : [];
  });
}

/** An account of the cloud that the services ask, and what that answers to all but who is asking. */
const CLOUD_ACCOUNT = "444444444444";
let cloudAnswer: () => Answer;
const cloud = serveAws(({ action }) =>
  action === "sts:GetCallerIdentity" ? { body: { Arn: "arn", Account: CLOUD_ACCOUNT } } : cloudAnswer(),
);

let processes: Processes;
let bus: BusConnection;
let server: model.ModelServer;
let org: string;
let key: string;
let orgId: string;
/** Everything that was answered, headers included. */
const answers: string[] = [];

beforeAll(async () => {
  server = await model.startModelServer(secret("a model key"));
  const egressAllow = [server.host, new URL(cloud.endpoint).host].join();
  processes = await startProcesses(egressAllow, { AWS_ENDPOINT_URL: cloud.endpoint });
  bus = await testBus("onlooker");
  const made = await processes.ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: PLAIN } });
  orgId = made.body.org.id;
  org = `/api/v2/orgs/${orgId}`;
  key = made.body.api_key.key;
  secrets.set("the API key", key.slice(16)); // its beginning is shown
}, 40_000);
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

/** What somebody's cloud says, with secrets where clouds have them. */
function secretProperties(place: string) {
  const of = secretsOf(place);
  return {
    Description: PLAIN,
    MasterUserPassword: of("a member named like a secret"),
    Environment: { Variables: { DB_PASSWORD: of("a variable"), REGION: PLAIN } },
    Parameters: [{ ParameterKey: "ApiToken", ParameterValue: of("a pair") }],
    Endpoint: `postgres://admin:${of("a URL")}@db.example.com:5432/app?sslmode=require`,
    UserData: `#!/bin/sh\nexport AWS_SECRET_ACCESS_KEY=${of("a script")}\n`,
    Command: ["run", "--password", of("an argument"), `--token=${of("an option")}`],
    Header: `Authorization: Bearer ${of("a header")}`,
    Nested: JSON.stringify({ inner: { client_secret: of("JSON in a text") } }),
    Certificate: `-----BEGIN PRIVATE KEY-----\n${of("a key file")}\n-----END PRIVATE KEY-----`,
  };
}

test("secrets in listings of every kind are in no row, no answer and no log", async () => {
  const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
  const own = {
    provider_resource_id: arn("own"),
    provider_type: "AWS::SQS::Queue",
    name: `${PLAIN} password=${secret("a name")}`,
    tags: { team: PLAIN, "db-password": secret("a tag") },
    properties: secretProperties("our own rows"),
  };
  const configItem = {
    configurationItemVersion: "1.3",
    configurationItemStatus: "OK",
    awsAccountId: ACCOUNT,
    awsRegion: "eu-west-1",
    resourceType: "AWS::SQS::Queue",
    resourceId: arn("config"),
    ARN: arn("config"),
    configuration: JSON.stringify(secretProperties("AWS Config")),
    supplementaryConfiguration: { Policy: JSON.stringify({ Password: secret("AWS Config: supplementary") }) },
  };
  const cloudControl = {
    TypeName: "AWS::SQS::Queue",
    ResourceDescriptions: [
      {
        Identifier: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/control`,
        Properties: JSON.stringify({ QueueName: "control", ...secretProperties("Cloud Control") }),
      },
    ],
    NextToken: secret("the token of the next page"),
  };
  const asset = {
    name: "//pubsub.googleapis.com/projects/p/topics/t",
    assetType: "pubsub.googleapis.com/Topic",
    resource: { version: "v1", data: { name: "projects/p/topics/t", ...secretProperties("Google") } },
  };
  const subscription = "11111111-2222-3333-4444-555555555555";
  const graph = {
    data: [
      {
        id: `/subscriptions/${subscription}/resourceGroups/g/providers/Microsoft.Web/sites/s`,
        name: "s",
        type: "microsoft.web/sites",
        tags: { "api-key": secret("a tag of Azure") },
        properties: secretProperties("Azure"),
      },
    ],
  };
  const bodies: [string, string][] = [
    [
      await account(ACCOUNT),
      [own, configItem, cloudControl].map((document) => JSON.stringify(document)).join("\n"),
    ],
    [await account("p", {}, "gcp"), JSON.stringify(asset)],
    [await account(subscription, {}, "azure"), JSON.stringify(graph)],
  ];
  for (const [id, body] of bodies) {
    const { status, text } = await ask("PUT", `/cloud-accounts/${id}/listing`, { body });
    expect(status, text).toBe(202);
  }
  const { body } = await ask("GET", "/resources");
  expect(body.data).toHaveLength(5);
  for (const { id } of body.data) {
    const { text } = await ask("GET", `/resources/${id}`);
    expect(text).toContain(PLAIN); // what is no secret is there
    expect(text).toContain("[redacted]");
  }
});

test("secrets in states are in no row, no answer and no log", async () => {
  const of = secretsOf("a state");
  const resources = [
    {
      type: "aws_db_instance",
      name: "db",
      attributes: { id: "db-1", arn: `arn:aws:rds:eu-west-1:${ACCOUNT}:db:db-1`, password: of("a password") },
    },
    {
      type: "random_password",
      name: "p",
      provider: "random",
      attributes: { id: "none", result: of("a random one") },
    },
    {
      type: "tls_private_key",
      name: "k",
      provider: "tls",
      attributes: { id: "a1", private_key_pem: of("a key") },
    },
    {
      type: "aws_secretsmanager_secret_version",
      name: "v",
      attributes: {
        id: `arn:aws:secretsmanager:eu-west-1:${ACCOUNT}:secret:s-AbCdEf|1`,
        secret_string: of("a text"),
      },
    },
    { type: "aws_instance", name: "i", attributes: { id: "i-1", user_data: `PASSWORD=${of("user data")}` } },
    {
      type: "null_resource",
      name: "n",
      provider: "null",
      attributes: { id: "1", triggers: { token: of("a trigger") } },
    },
  ];
  const state = {
    ...tfstate(resources),
    outputs: { token: { value: of("an output"), type: "string", sensitive: true } },
  };
  const pulumi = {
    version: 3,
    deployment: {
      secrets_providers: { type: "passphrase", state: { salt: of("the salt") } },
      resources: [
        {
          urn: "urn:pulumi:p::s::aws:rds/instance:Instance::db",
          custom: true,
          type: "aws:rds/instance:Instance",
          id: "db-2",
          inputs: { password: of("an input") },
          outputs: { password: of("a Pulumi output"), arn: `arn:aws:rds:eu-west-1:${ACCOUNT}:db:db-2` },
        },
      ],
    },
  };
  for (const [name, document] of Object.entries({ state, pulumi })) {
    const source = (await ask("POST", "/iac-sources", { body: { name } })).body.id;
    const { status, text } = await ask("PUT", `/iac-sources/${source}/state`, { body: document });
    expect(status, text).toBe(200);
  }
  const { body } = await ask("GET", "/iac-resources");
  for (const { id } of body.data) await ask("GET", `/iac-resources/${id}`);
});

const SUBSCRIPTION = "99999999-2222-3333-4444-555555555555";
const APPLICATION = { tenant_id: "example.com", client_id: "11111111-2222-3333-4444-555555555555" };

test("credentials of an account are sealed, and nothing of them but the kind is told", async () => {
  const of = secretsOf("credentials");
  const key = {
    kind: "static",
    access_key_id: of("access key id"),
    secret_access_key: of("secret access key"),
  };
  const given = [
    { provider: "aws", external_id: "222222222222", credentials: key },
    {
      provider: "azure",
      external_id: SUBSCRIPTION,
      credentials: { kind: "static", ...APPLICATION, client_secret: of("client secret") },
    },
    {
      provider: "gcp",
      external_id: "shop-prod",
      credentials: { kind: "static", service_account_key: keyFile({ note: of("service account key") }) },
    },
    {
      provider: "aws",
      external_id: "333333333333",
      credentials: { kind: "aws_role", role_arn: `arn:aws:iam::333333333333:role/${of("role")}` },
    },
  ];
  for (const [index, body] of given.entries()) {
    const headers = { "idempotency-key": `key-${index}` };
    const { credentials } = body;
    const made = await ask("POST", "/cloud-accounts", { body, headers });
    expect(made.body.credentials).toEqual({ kind: credentials.kind });
    await ask("POST", "/cloud-accounts", { body, headers });
    await ask("PATCH", `/cloud-accounts/${made.body.id}`, { body: { credentials } });
    await ask("POST", "/cloud-accounts", { body }); // there already
  }
});

test("what a cloud says of a resource or of credentials is in no row, no answer and no log", async () => {
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
}, 30_000);

test("secrets of webhooks, and in what they bring, are in no row, no answer and no log", async () => {
  const of = secretsOf("webhooks");
  const { raw_secret: raw, ...config } = (
    await processes.ask("POST", `${org}/webhooks`, { as: key, body: { source: "planner", name: PLAIN } })
  ).body;
  secrets.set("a webhook secret", raw.slice(14)); // its beginning is shown
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
  const change = {
    address: "aws_db_instance.db",
    type: "aws_db_instance",
    change: {
      actions: ["update"],
      before: { engine: PLAIN, password: of("what was"), note: of("what a mask hides") },
      after: { engine: PLAIN, password: of("what will be"), note: "" },
      before_sensitive: { note: true },
      after_sensitive: {},
    },
  };
  const event = (more: object) =>
    JSON.stringify({
      event: "plan",
      version: 1,
      event_id: crypto.randomUUID(),
      repository: "platform/network",
      project: { name: PLAIN },
      status: "success",
      plan: {
        format_version: "1.2",
        resource_changes: [change],
        variables: { token: { value: of("a variable") } },
        prior_state: { password: of("a prior state") },
      },
      ...more,
    });
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
  for (const wrong of [
    { source: "vcs", api_token: of("a token") },
    { source: "planner", api_token: of("a planner's token") },
    { source: "vcs", api_token: of("a token for nowhere"), provider_base_url: "https://127.0.0.1" },
    { source: "vcs", api_token: "t", provider_base_url: `https://a:${of("a password")}@git.example.com` },
    { source: "vcs", api_token: [of("a list")] },
    { source: "planner", secret: of("a secret of their own") },
  ])
    expect((await ask("POST", "/webhooks", { body: wrong })).status).toBe(400);
  expect(
    (await ask("PATCH", `/webhooks/${config.id}`, { body: { api_token: of("another token") } })).status,
  ).toBe(400);
}, 30_000);

test("model keys, prompts and answers are in no row, no answer and no log, whatever the provider does", async () => {
  const of = secretsOf("models");
  const path = "/llm-config";
  for (const provider of PROVIDERS) {
    const wish = wishOf(server, provider);
    const own = `${provider}: `;
    server.answerWith(model.says());
    expect((await ask("PUT", path, { body: wish })).status).toBe(200);
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
      [model.fails(429, { "retry-after": of(`${own}a wish`) }), "failed"],
      [model.says(of(`${own}another answer`)), "completed"], // else the breaker is near
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
      expect((await ask("PUT", path, { body: { ...wish, api_key: of(`${own}a key`) } })).status).not.toBe(
        200,
      );
    }
    await ask("GET", path);
    expect((await ask("DELETE", path)).status).toBe(204);
  }
  server.answerAsUsual();
  const wrong: object[] = [
    { provider: "openai", api_key: [of("a list")] },
    { provider: "openai", api_key: `${of("a blank")} ` },
    { provider: "openai", api_key: of("an unknown field"), llm_config: of("its value") },
    { provider: of("a provider"), api_key: of("its key") },
    { provider: "openai", api_key: of("a wrong address"), base_url: "https://127.0.0.1" },
    { provider: "openai", api_key: "k", base_url: `https://a:${of("a password")}@models.example.com` },
    { provider: "openai", api_key: "k", base_url: `https://127.0.0.1/${of("a path")}?${of("a query")}` },
    { provider: "bedrock", api_key: of("no region"), model: "m" },
    { provider: "bedrock", api_key: of("a wrong region"), options: { region: of("region") } },
  ];
  for (const body of wrong) expect((await ask("PUT", path, { body })).status).toBe(400);
  const kept = { provider: "openai", api_key: of("one that is kept"), model: PLAIN };
  expect((await ask("PUT", `${path}?validate=false`, { body: kept })).status).toBe(200);
}, 30_000);

/** Credentials that can't be right, each for another reason. */
function refusedCredentials(
  of: (where: string) => string,
): [provider: string, externalId: string, credentials: object][] {
  const role_arn = "arn:aws:iam::555555555555:role/leeway";
  const key = { kind: "static", access_key_id: of("a key's id"), secret_access_key: of("its secret") };
  return [
    ["aws", "555555555555", { kind: "aws_role", role_arn: of("a role") }],
    ["aws", "555555555555", { kind: "aws_role", role_arn, external_id: of("an external id") }],
    ["aws", "555555555555", { ...key, secret_access_key: `${of("a blank")} ` }],
    ["aws", "555555555555", { ...key, service_account_key: of("another cloud's") }],
    ["aws", of("an account"), key],
    ["gcp", "p-1", { kind: "static", service_account_key: keyFile({ token_uri: of("a token's address") }) }],
    ["gcp", "p-1", { kind: "static", service_account_key: of("no key") }],
    ["gcp", "p-1", { kind: "gcp_wif", audience: of("an audience"), service_account_email: of("an email") }],
    [
      "azure",
      SUBSCRIPTION,
      { kind: "static", tenant_id: "t", client_id: "c", client_secret: of("a secret") },
    ],
    ["acme", "x", key],
  ];
}

test("what is refused isn't repeated", async () => {
  const of = secretsOf("refused");
  const target = await account("refusing");
  const source = (await ask("POST", "/iac-sources", { body: { name: "refusing" } })).body.id;
  const pushes = [
    JSON.stringify({ hello: of("a document") }),
    JSON.stringify([{ provider_resource_id: "a", provider_type: "b", colour: of("an unknown member") }]),
    JSON.stringify([{ provider_resource_id: 1, provider_type: "b", properties: { password: of("a row") } }]),
    `{"provider_resource_id": "a", "properties": {"password": "${of("what is cut off")}`,
    `{"a": "${of("a wrong document")}"} ${of("what comes behind")}`,
    `password: ${of("YAML")}\n`,
    `resource "aws_db_instance" "db" {\n  password = "${of("HCL")}"\n}`,
    `<xml>${of("XML")}</xml>`,
    `PK\u0003\u0004${of("a zip")}`,
    of("plain text"),
    JSON.stringify({
      version: 3,
      serial: 1,
      modules: [{ outputs: { token: { value: of("an old state") } } }],
    }),
    JSON.stringify({ serial: 1, encrypted_data: of("an encrypted state"), encryption_version: "v0" }),
    JSON.stringify({
      format_version: "1.2",
      planned_values: {},
      variables: { password: { value: of("a plan") } },
    }),
    JSON.stringify({
      version: 4,
      serial: of("a serial"),
      lineage: 1,
      resources: { password: of("an object") },
    }),
  ];
  for (const body of pushes) {
    expect((await ask("PUT", `/cloud-accounts/${target}/listing`, { body })).status).toBe(400);
    await ask("PUT", `/iac-sources/${source}/state`, { body });
  }
  const wrong: [method: string, path: string, body: unknown][] = [
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", credentials: { kind: of("a kind") } }],
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", credentials: of("credentials") }],
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", secret: of("an unknown field") }],
    ["POST", "/cloud-accounts", { provider: of("a provider"), external_id: "1" }],
    [
      "POST",
      "/cloud-accounts",
      {
        provider: "aws",
        external_id: "1",
        credentials: { kind: "static", secret_access_key: [of("an array")] },
      },
    ],
    [
      "POST",
      "/cloud-accounts",
      `{"provider": "aws", "credentials": {"client_secret": "${of("broken JSON")}" "x"}`,
    ],
    ...refusedCredentials(of).map(([provider, external_id, credentials]): [string, string, unknown] => [
      "POST",
      "/cloud-accounts",
      { provider, external_id, credentials },
    ]),
    ["POST", "/cloud-accounts", of("no JSON")],
    ["POST", "/iac-sources", { name: 1, cloud_account_id: of("an id") }],
    ["POST", "/scans", { account_id: of("another id"), kind: of("a kind of scan") }],
    ["PATCH", `/exclusion-rules/${of("a rule")}`, { enabled: of("a switch") }],
  ];
  for (const [method, path, body] of wrong)
    expect((await ask(method, path, { body })).status).toBeOneOf([400, 404]);
});

test("what a query, a path or a header holds isn't repeated", async () => {
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

test("a failure of ours tells the log what failed, and not what it failed on", async () => {
  const { admin } = processes.db;
  await admin`alter table inventory.cloud_accounts add constraint no_boom check (name <> 'boom')`;
  await admin`alter table inventory.live_resources add constraint no_boom check (name <> 'boom')`;
  const target = await account("failing");
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

test("nothing of all this is in what lists give", async () => {
  const lists = [
    "cloud-accounts",
    "iac-sources",
    "iac-resources",
    "resources",
    "scans",
    "drift-snapshots",
    "posture",
    "audit-log",
    "api-keys",
    "webhooks",
    "llm-config",
  ];
  for (const list of lists) expect((await ask("GET", `/${list}?limit=500`)).status).toBe(200);
});

test("no answer holds a secret", () => {
  expect(secrets.size).toBeGreaterThan(100);
  expect(answers.filter((answer) => shownIn(answer).length > 0)).toEqual([]);
});

test("no table holds a secret in clear", async () => {
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

test("no stream of the bus holds a secret", async () => {
  await bus.nats.jetstream().publish(`body.${crypto.randomUUID()}.0`, PLAIN);
  const texts = await Array.fromAsync(storedTexts());
  expect(texts.filter((text) => text.includes(PLAIN))).toHaveLength(1); // they are read, and found
  expect(texts.filter((text) => shownIn(text).length > 0)).toEqual([]);
}, 60_000);

/** All that streams hold; what was worked off is stepped over, not asked for. */
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

test("no line of any log holds a secret, the services' own ones included", async () => {
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
}, 60_000);

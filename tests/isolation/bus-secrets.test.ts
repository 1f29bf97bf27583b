import { afterAll, beforeAll, expect, test } from "bun:test";

import { HEADER } from "@leeway/shared/bus/headers";
import { loadContracts } from "../../scripts/docs/contracts.ts";
import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { secret, secrets, secretsOf, shownIn } from "./canaries.ts";
import { accountsWithCredentials } from "./secret-credentials.ts";
import { DEAD_END, startStack, type Stack } from "./stack.ts";

const { requests } = await loadContracts();
const SEALED = requests.filter(({ contract: { sealed } }) => sealed.input.length + sealed.output.length > 0);
/** A reference to a body, which has the key that opens the body. */
const REFERENCE = /[0-9a-f-]{36}\.\d+\.[\w-]{43}/;

let stack: Stack;
let gitlab: Gitlab;
let owner: string;
let org: string;
/** Every message on the bus, as its subject and its text. */
const messages: { subject: string; text: string }[] = [];

beforeAll(async () => {
  gitlab = startGitlab({});
  stack = await startStack({ egressAllow: [gitlab.host] });
  await listen();
  owner = await stack.newPerson("owner@example.com");
  const { body } = await stack.ask("POST", "/api/v2/orgs", { as: owner, body: { name: "Sealed" } });
  org = `/api/v2/orgs/${body.id}`;
});
afterAll(async () => {
  await stack.stop();
  await gitlab.stop();
});

/** Records every message, in the form in which it was sent. */
async function listen(): Promise<void> {
  stack.bus.nats.subscribe(">", {
    callback: (_, { subject, data, headers }) => {
      const bytes = headers?.has(HEADER.packed) ? Bun.zstdDecompressSync(data) : data;
      const text = `${Buffer.from(bytes).toString()} ${JSON.stringify([...(headers ?? [])])}`;
      messages.push({ subject, text });
    },
  });
  await stack.bus.nats.flush();
}

/** Sends a request to the API and returns the answer's body. */
async function ask(method: string, path: string, body?: unknown, as = owner): Promise<Answered["body"]> {
  const answered = await stack.ask(method, org + path, { as, body });
  expect(answered.status, answered.text).toBeLessThan(300);
  return answered.body;
}

/** Tag of a pushed resource, which no notice of drift repeats. */
const IN_A_BODY = "three-astronauts";

test("cloud credentials", async () => {
  for (const { credentials, ...account } of accountsWithCredentials(secretsOf("an account"))) {
    if (credentials.kind !== "static") continue;
    const { id } = await ask("POST", "/cloud-accounts", { ...account, credentials });
    await ask("PATCH", `/cloud-accounts/${id}`, { credentials });
  }
});

test("secrets of state backends", async () => {
  const address = `http://${gitlab.host}/state`;
  const http = { type: "http", address, username: "ci", password: secret("a backend's password") };
  const { id } = await ask("POST", "/iac-sources", { name: "states", backend: http });
  const host = { type: "remote", hostname: gitlab.host, organization: "acme", workspace: "network" };
  await ask("PATCH", `/iac-sources/${id}`, { backend: { ...host, token: secret("a backend's token") } });
});

test("references to states, listings and plans", async () => {
  const { id: account } = await ask("POST", "/cloud-accounts", { provider: "acme", external_id: "a" });
  const row = { provider_resource_id: "r", provider_type: "Acme::Rocket", tags: { crew: IN_A_BODY } };
  await ask("PUT", `/cloud-accounts/${account}/listing`, ndjson([row]));
  const { id: source } = await ask("POST", "/iac-sources", { name: "pushed", cloud_account_id: account });
  await ask("PUT", `/iac-sources/${source}/state`, tfstate([]));
  const { key } = await ask("POST", "/api-keys", { name: "ci", role: "member" });
  const change = { actions: ["create"], before: null, after: { name: "q" } };
  const resource = { address: "aws_sqs_queue.q", type: "aws_sqs_queue", name: "q", mode: "managed", change };
  const plan = { format_version: "1.2", resource_changes: [resource] };
  await ask("POST", "/analyze", { plan, narrative: false, project: { name: "pushed" } }, key);
  while ((await ask("GET", "/drift-changes?kind=pending")).data.length === 0) await Bun.sleep(20); // it was reported
});

test("model keys", async () => {
  const input = { provider: "openai", model: "m", api_key: secret("a model key") };
  await ask("PUT", "/llm-config?validate=false", input);
});

test("webhook secrets, those that senders bring, and code host tokens", async () => {
  const token = (): string => {
    const value = gitlab.issue();
    secrets.set(`a code host token ${value}`, value);
    return value;
  };
  const input = { source: "vcs", provider_base_url: gitlab.url, api_token: token() };
  const { id, url, raw_secret: raw } = await ask("POST", "/webhooks", input);
  await ask("PATCH", `/webhooks/${id}`, { api_token: token() });
  const { raw_secret: rotated } = await ask("POST", `/webhooks/${id}/rotate-secret`, {});
  secrets.set("a webhook secret", raw.slice(14)); // its prefix is no secret
  secrets.set("a rotated webhook secret", rotated.slice(14));
  for (const [credential, status] of [
    [raw, 202],
    [rotated, 202],
    [secret("a wrong webhook secret"), 401],
  ]) {
    const headers = { "x-vcs-token": credential };
    const call = { body: { object_kind: crypto.randomUUID() }, headers };
    expect((await stack.ask("POST", new URL(url).pathname, call)).status).toBe(status);
  }
});

const channel = (kind: string) => ({
  kind,
  name: kind,
  events: ["scan.failed"],
  target: { url: `http://${DEAD_END}/${secret(`a channel of ${kind}`)}` },
});

test("addresses and secrets of channels", async () => {
  for (const kind of ["slack", "teams", "webhook"]) {
    const { id, secret: made } = await ask("POST", "/notification-channels", channel(kind));
    if (kind === "webhook") secrets.set("a channel's secret", made.slice("whsec_".length));
    const { target } = channel(kind);
    const changed = await ask("PATCH", `/notification-channels/${id}`, { target });
    if (changed.secret) secrets.set("a channel's new secret", changed.secret.slice("whsec_".length));
  }
});

test("tokens of links in mails", async () => {
  for (const name of ["confirm", "unsubscribe"])
    await stack.ask("POST", `/mail/${name}?token=${secret(`a link to ${name}`)}`);
});

/** Returns the paths of the fields that answers never show. */
function writeOnlyIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("writeOnly" in value) return [path.join(".")];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "properties"
      ? Object.entries(Object(part)).flatMap(([name, field]) => writeOnlyIn(field, [...path, name]))
      : writeOnlyIn(part, path),
  );
}

test("every field that answers never show is sealed", () => {
  for (const { name, contract } of requests) {
    const sealed = contract.sealed.input.map((path) => path.join("."));
    for (const field of writeOnlyIn(contract.input)) expect(sealed, name).toContain(field);
  }
});

test("every contract with a sealed field was used", async () => {
  await stack.bus.nats.flush();
  const used = SEALED.filter(({ contract: { subject, callers } }) =>
    messages.some((message) => callers.some((caller) => message.subject === `${subject}.${caller}`)),
  );
  expect(used.map(({ name }) => name)).toEqual(SEALED.map(({ name }) => name));
});

test("nobody who reads all messages sees a secret, or the key of a body", () => {
  expect(secrets.size).toBeGreaterThan(15);
  expect(messages.some(({ text }) => text.includes(IN_A_BODY))).toBe(false); // bodies are encrypted
  expect(messages.some(({ text }) => text.includes("aws"))).toBe(true); // other texts are received
  const leaks = messages.flatMap(({ subject, text }) => {
    const places = shownIn(text);
    if (REFERENCE.test(text)) places.push("a reference");
    return places.map((place) => `${subject}: ${place}`);
  });
  expect(leaks).toEqual([]);
});

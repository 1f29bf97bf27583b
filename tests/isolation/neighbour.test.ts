import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";

import { repeated } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { startStack, type Stack } from "./stack.ts";

const TEST_MS = 240_000;
const ACCOUNT = "111111111111";
const ARN = `arn:aws:sqs:eu-west-1:${ACCOUNT}:q1`;
let accountNumber = 222222222222;
/** Texts of a given size that are slow to search for secrets. */
const TEXTS: Readonly<Record<string, (size: number) => string>> = {
  ...ONCE_QUADRATIC,
  "passwords that nothing ends": (size) => repeated('password="', size),
  "heredocs that nothing ends": (size) => repeated("password = <<A\n", size),
  "gzip that holds a thousand times its size": (size) =>
    repeated(`${gzipSync("password=x ".repeat(10_000)).toString("base64")} `, size),
};
const SIZES = [1, 2, 4];
/** Keeps below the limit of 120 plans a minute for an organization. */
const MAX_ROUNDS = 15;
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 100;

/** An organization and the objects that it sends to. */
interface Sender {
  path: string;
  webhook: { id: string; path: string; secret: string };
  account: string;
  source: string;
  ask(method: string, below: string, body?: unknown): Promise<Answer>;
}

type Answer = Awaited<ReturnType<Stack["ask"]>>;

let stack: Stack;
let loud: Sender;
let quiet: Sender;
beforeAll(async () => {
  stack = await startStack();
  [loud, quiet] = [await newSender("loud"), await newSender("quiet")];
}, TEST_MS);
afterAll(() => stack.stop());

async function newSender(name: string): Promise<Sender> {
  const owner = await stack.newPerson(`${name}@example.com`);
  const org = await stack.ask("POST", "/api/v2/orgs", { as: owner, body: { name } });
  const path = `/api/v2/orgs/${org.body.id}`;
  const plan = { plan: "enterprise", hourly_platform_llm_limit: 1_000_000 };
  await stack.ask("PUT", `/operator/orgs/${org.body.id}/plan`, { as: OPERATOR_TOKEN, body: plan });
  const input = { name, role: "admin" };
  const { body: made } = await stack.ask("POST", `${path}/api-keys`, { as: owner, body: input });
  const as: string = made.key;
  const ask: Sender["ask"] = (method, below, body) =>
    stack.ask(method, `${path}/${below}`, { as, ...(body !== undefined && { body }) });
  const { body: config } = await ask("POST", "webhooks", { source: "planner" });
  const { body: account } = await ask("POST", "cloud-accounts", {
    provider: "aws",
    external_id: ACCOUNT,
  });
  const { body: source } = await ask("POST", "iac-sources", { name, cloud_account_id: account.id });
  const webhook = { id: config.id, path: new URL(config.url).pathname, secret: config.raw_secret };
  return { path, webhook, account: account.id, source: source.id, ask };
}

function planWith(text: string): object {
  const change = { actions: ["update"], before: { note: "" }, after: { note: text } };
  const resource = { address: "aws_sqs_queue.q", type: "aws_sqs_queue", name: "q", mode: "managed", change };
  return { format_version: "1.2", resource_changes: [resource] };
}

/** A way to send a text to the API, with the smallest of the three sizes. */
interface Kind {
  size: number;
  send(from: Sender, text: string): Promise<Answer>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "webhook bodies": { size: 50_000, send: sendEvent },
  plans: {
    size: 15_000,
    send: (from, text) => from.ask("POST", "analyze", { plan: planWith(text), narrative: false }),
  },
  listings: {
    size: 25_000,
    send: async (from, text) => {
      // An account has one scan at a time.
      const external_id = String(accountNumber++);
      const { body: account } = await from.ask("POST", "cloud-accounts", { provider: "aws", external_id });
      const provider_resource_id = ARN.replace(ACCOUNT, external_id);
      const properties = { Description: text };
      const row = { provider_resource_id, provider_type: "AWS::SQS::Queue", properties };
      return from.ask("PUT", `cloud-accounts/${account.id}/listing`, ndjson([row]));
    },
  },
  states: {
    size: 25_000,
    send: (from, text) => {
      const attributes = { id: "q", arn: ARN, policy: text };
      const lineage = crypto.randomUUID();
      const state = tfstate([{ type: "aws_sqs_queue", name: "q", attributes }], { lineage });
      return from.ask("PUT", `iac-sources/${from.source}/state`, state);
    },
  },
  "conditions of rules": {
    size: 450,
    send: (from, text) => {
      const when = `resource.name == ${JSON.stringify(text)}`;
      const rule = { name: "x", on: ["undeclared"], when, then: { ignore: true }, reason: "tried" };
      return from.ask("POST", "rules/preview", rule);
    },
  },
  crons: {
    size: 50,
    send: (from, text) => from.ask("POST", "scan-schedules", { account_id: from.account, cron: text }),
  },
};

function sendEvent({ webhook }: Sender, text: string): Promise<Answer> {
  const body = JSON.stringify({
    event: "plan",
    version: 1,
    event_id: crypto.randomUUID(),
    repository: "platform/network",
    project: { name: "prod" },
    status: "success",
    plan: planWith(text),
  });
  const signature = new Bun.CryptoHasher("sha256", webhook.secret).update(body).digest("hex");
  return stack.ask("POST", webhook.path, { body, headers: { "x-planner-signature": `sha256=${signature}` } });
}

/** Sends an organization's usual requests: a read of each service, a webhook and a plan. Returns the failures. */
async function round(from: Sender): Promise<string[]> {
  const answers = await Promise.all([
    sendEvent(from, "small"),
    from.ask("POST", "analyze", { plan: planWith("small"), narrative: false }),
    from.ask("GET", "resources"),
    from.ask("GET", "webhooks"),
    from.ask("GET", "plan-noise"),
  ]);
  return answers.filter(({ status }) => status >= 400).map(({ status, text }) => `${status} ${text}`);
}

test.each(Object.entries(KINDS))(
  "hard-to-read %s from one organization don't affect another",
  async (_, kind) => {
    expect(await repeatedly(() => failuresBeside(kind))).toEqual([]);
    expect(await repeatedly(() => round(loud))).toEqual([]);
  },
  TEST_MS,
);

/**
 * Returns the failures of the last attempt, which is the first without any. A busy machine exceeds a time limit now and
 * then. A text that takes too long does so each time.
 */
async function repeatedly(attempt: () => Promise<string[]>): Promise<string[]> {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const failed = await attempt();
    if (failed.length === 0 || left === 0) return failed;
  }
}

/** Sends all texts in all sizes at once, and returns the failures of the other organization's requests meanwhile. */
async function failuresBeside({ size, send }: Kind): Promise<string[]> {
  const state = { isOver: false };
  const sent = Object.values(TEXTS).flatMap((make) => SIZES.map((times) => send(loud, make(size * times))));
  const noise = Promise.all(sent).finally(() => (state.isOver = true));
  const failed: string[] = [];
  for (let rounds = 0; rounds === 0 || (!state.isOver && rounds < MAX_ROUNDS); rounds += 1) {
    failed.push(...(await round(quiet)));
    await Bun.sleep(PAUSE_MS);
  }
  // Each text was read: none was refused because of another.
  expect((await noise).filter(({ status }) => status === 409)).toEqual([]);
  return failed;
}

test(
  "every accepted event and plan is processed",
  async () => {
    for (const { ask, webhook } of [loud, quiet]) {
      const waiting = `webhooks/${webhook.id}/deliveries?outcome=pending`;
      while ((await ask("GET", waiting)).body.data.length > 0) await Bun.sleep(50);
      const failed = await ask("GET", `webhooks/${webhook.id}/deliveries?outcome=failed`);
      expect(failed.body.data).toEqual([]);
    }
  },
  TEST_MS,
);

import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

import type { LoadStack } from "./stack.ts";

/** An organization of a load test, and the requests of its people and pipelines. */
export interface Customer {
  id: string;
  key: string;
  newAccount(provider: string, external_id: string): Promise<string>;
  /** Pushes a listing. @returns its scan, which computes drift afterwards */
  startPush(accountId: string, body: string): Promise<JsonObject>;
  /** Pushes a listing and waits until its scan has ended. */
  push(accountId: string, body: string): Promise<void>;
  /** Creates a planner's config. Returns the path for its events, below the base URL, and their secret. */
  newReceiver(): Promise<{ path: string; secret: string }>;
}

export async function newCustomer({ baseUrl, newOrg }: LoadStack): Promise<Customer> {
  return customerOf(baseUrl, await newOrg());
}

export function customerOf(baseUrl: string, { id, key }: Pick<Customer, "id" | "key">): Customer {
  const ask = async (method: string, path: string, body: string): Promise<JsonObject> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = { method, headers, ...(body !== "" && { body }) };
    const answer = await fetch(`${baseUrl}/api/v2/orgs/${id}/${path}`, sent);
    const value: unknown = await answer.json();
    if (!answer.ok || !isObject(value)) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const startPush: Customer["startPush"] = (accountId, body) =>
    ask("PUT", `cloud-accounts/${accountId}/listing`, body);
  return {
    id,
    key,
    startPush,
    async newAccount(provider, external_id) {
      const account = await ask("POST", "cloud-accounts", JSON.stringify({ provider, external_id }));
      return text(account, "id") ?? "";
    },
    async push(accountId, body) {
      let scan = await startPush(accountId, body);
      while (text(scan, "finished_at") === undefined) {
        await Bun.sleep(50);
        scan = await ask("GET", `scans/${text(scan, "id")}`, "");
      }
      if (scan["status"] !== "succeeded") throw new Error(`not taken in: ${JSON.stringify(scan)}`);
    },
    async newReceiver() {
      const config = await ask("POST", "webhooks", JSON.stringify({ source: "planner" }));
      return { path: `/webhooks/planner/${id}`, secret: text(config, "raw_secret") ?? "" };
    },
  };
}

/** Builds a listing of an account's queues in Leeway's own format. */
export function listingOf(rows: number, account = "123456789012"): string {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      provider_resource_id: `arn:aws:sqs:eu-west-1:${account}:q${index}`,
      provider_type: "AWS::SQS::Queue",
    }),
  );
  return lines.join("\n");
}

const EVENT_BYTES = 2_048;

/** A planned change that creates a queue. */
export const NEW_QUEUE = {
  address: "aws_sqs_queue.new",
  mode: "managed",
  type: "aws_sqs_queue",
  name: "new",
  provider_name: "registry.terraform.io/hashicorp/aws",
  change: { actions: ["create"], before: null, after: { name: "new" } },
};

/** Builds a planner's event of 2 KB with a new id, whose plan has these changes. */
export function planEvent(changes: readonly object[] = []): string {
  const event = {
    event: "plan",
    version: 1,
    event_id: Bun.randomUUIDv7(),
    repository: "platform/network",
    commit_sha: "0123456789abcdef0123456789abcdef01234567",
    project: { name: "prod", dir: "envs/prod", workspace: "default" },
    status: "success",
    plan: { format_version: "1.2", resource_changes: changes, padding: "" },
  };
  event.plan.padding = "x".repeat(EVENT_BYTES - JSON.stringify(event).length);
  return JSON.stringify(event);
}

/** Returns a planner's signature of an event. */
export function signed(body: string, secret: string): string {
  return `sha256=${new Bun.CryptoHasher("sha256", secret).update(body).digest("hex")}`;
}

/** Sends signed events of plans with these changes. */
export function sendsEvents(secret: string, changes: readonly object[] = []) {
  return (url: URL) => (): string => {
    const body = planEvent(changes);
    return `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\nx-planner-signature: ${signed(body, secret)}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
}

const MARK = Buffer.from('"next_cursor":"');

/** Follows the pages of a list and starts again after the last. Without a key it reads the bare server. */
export function walksPages(key?: string) {
  const authorization = key === undefined ? "" : `authorization: Bearer ${key}\r\n`;
  return (url: URL) =>
    (previous: Buffer): string => {
      const cursor = cursorIn(previous);
      const path = `${url.pathname}${url.search}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      return `GET ${path} HTTP/1.1\r\nhost: ${url.host}\r\n${authorization}\r\n`;
    };
}

function cursorIn(answer: Buffer): string {
  const at = answer.lastIndexOf(MARK);
  if (at === -1) return "";
  const begin = at + MARK.length;
  return answer.toString("latin1", begin, answer.indexOf('"', begin));
}

import { isObject, text, type JsonObject } from "@leeway/shared/json";

import type { LoadStack } from "./stack.ts";

/** An organization of a load test, and what its people and pipelines ask. */
export interface Customer {
  id: string;
  key: string;
  newAccount(provider: string, external_id: string): Promise<string>;
  /** Pushes a listing, and waits until it is taken in. */
  push(accountId: string, body: string): Promise<void>;
  /** A planner's config: where its events go, below the base URL, and their secret. */
  newReceiver(): Promise<{ path: string; secret: string }>;
}

export async function newCustomer({ baseUrl, newOrg }: LoadStack): Promise<Customer> {
  const { id, key } = await newOrg();
  const ask = async (method: string, path: string, body: string): Promise<JsonObject> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = { method, headers, ...(body !== "" && { body }) };
    const answer = await fetch(`${baseUrl}/api/v2/orgs/${id}/${path}`, sent);
    const value: unknown = await answer.json();
    if (!answer.ok || !isObject(value)) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  return {
    id,
    key,
    async newAccount(provider, external_id) {
      const account = await ask("POST", "cloud-accounts", JSON.stringify({ provider, external_id }));
      return text(account, "id") ?? "";
    },
    async push(accountId, body) {
      let scan = await ask("PUT", `cloud-accounts/${accountId}/listing`, body);
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

/** A listing of so many queues, in Leeway's own format. */
export function listingOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      provider_resource_id: `arn:aws:sqs:eu-west-1:123456789012:q${index}`,
      provider_type: "AWS::SQS::Queue",
    }),
  );
  return lines.join("\n");
}

const EVENT_BYTES = 2_048;

/** What a plan may want: a queue that isn't there. */
export const NEW_QUEUE = {
  address: "aws_sqs_queue.new",
  mode: "managed",
  type: "aws_sqs_queue",
  name: "new",
  provider_name: "registry.terraform.io/hashicorp/aws",
  change: { actions: ["create"], before: null, after: { name: "new" } },
};

/** A planner's event of 2 KB, each another; its plan has these changes. */
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

/** Sends events, each signed, of plans with these changes. */
export function sendsEvents(secret: string, changes: readonly object[] = []) {
  return (url: URL) => (): string => {
    const body = planEvent(changes);
    const signature = new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
    return `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\nx-planner-signature: sha256=${signature}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
}

const MARK = Buffer.from('"next_cursor":"');

/** Follows the pages of a list from the first on, and from there again at the end; without a key it isn't ours. */
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

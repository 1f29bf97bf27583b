import { createHmac } from "node:crypto";

import { isObject, text } from "@leeway/shared/values/json";

import { Failure } from "../failure.ts";
import { parseJson, persist, retryAfterMs, startOf, unreachable, within, type Setback } from "../http.ts";
import { refusalOf } from "./refusal.ts";

const LONGEST_TRY_MS = 10_000;
const LONGEST_ANSWER = 65_536;

/** URL and secret of a webhook, and the retry limits. */
export interface Delivery {
  url: URL;
  secret: string;
  tries: number;
  maxSeconds: number;
}

/** Leeway's answer to an accepted body. */
export interface Receipt {
  status: string;
  deliveryId: string;
}

/** Returns the value of `X-Planner-Signature` for exactly these bytes; the key is the whole secret as UTF-8. */
export function sign(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/**
 * Sends a body until it is accepted or rejected. `log` reports every failure before a retry.
 * @throws {Failure} when it is rejected, or `unavailable` when tries or time have run out
 */
export async function post(
  body: Uint8Array<ArrayBuffer>,
  delivery: Delivery & { userAgent: string },
  log: (message: string) => void,
): Promise<Receipt> {
  const deadline = performance.now() + delivery.maxSeconds * 1000;
  const attempt = (remainingMs: number): Promise<Receipt | Setback> => tryOnce(body, delivery, remainingMs);
  return persist({ tries: delivery.tries, deadline }, attempt, log);
}

async function tryOnce(
  body: Uint8Array<ArrayBuffer>,
  { url, secret, userAgent }: Delivery & { userAgent: string },
  remainingMs: number,
): Promise<Receipt | Setback> {
  const headers = {
    "content-type": "application/json",
    "user-agent": userAgent,
    "x-planner-signature": sign(body, secret),
  };
  const signal = within(LONGEST_TRY_MS, remainingMs);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return judge(url, response, {
      text: await startOf(response, LONGEST_ANSWER),
      sentBytes: body.byteLength,
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unreachable(url, error);
  }
}

function judge(
  { origin }: URL,
  { status, headers }: Response,
  answer: { text: string; sentBytes: number },
): Receipt | Setback {
  if (status === 202) {
    // A truncated answer may be Leeway's; in that case the next try gets the answer for a duplicate.
    const problem = `the answer of ${origin} is incomplete or isn't from Leeway`;
    return receiptOf(answer.text) ?? { problem, retryAfterMs: 0 };
  }
  if (status === 408 || status === 429 || status >= 500) {
    return { problem: `${origin} answers ${status}`, retryAfterMs: retryAfterMs(headers) };
  }
  throw refusalOf(status, answer.sentBytes);
}

/** Parses a receipt, so that only text in this form reaches the terminal. */
function receiptOf(answer: string): Receipt | undefined {
  const receipt = parseJson(answer);
  if (!isObject(receipt)) return undefined;
  const [status = "", deliveryId = ""] = [text(receipt, "status"), text(receipt, "delivery_id")];
  return /^[a-z]{1,20}$/.test(status) && /^[\w-]{1,64}$/.test(deliveryId)
    ? { status, deliveryId }
    : undefined;
}

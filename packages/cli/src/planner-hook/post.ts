import { createHmac } from "node:crypto";

import { isObject, text } from "@leeway/shared/json";

import { Failure } from "../failure.ts";
import { parseJson, persist, retryAfterMs, startOf, unreachable, within, type Setback } from "../http.ts";
import { refusalOf } from "./refusal.ts";

const LONGEST_TRY_MS = 10_000;
const LONGEST_ANSWER = 65_536;

/** Where a body goes, and how often and how long that is tried. */
export interface Delivery {
  url: URL;
  secret: string;
  tries: number;
  maxSeconds: number;
}

/** What Leeway said to a body that it took. */
export interface Receipt {
  status: string;
  deliveryId: string;
}

/** The value of `X-Planner-Signature` for exactly these bytes; the whole secret, as UTF-8, is the key. */
export function sign(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/**
 * Sends a body until it is taken or refused. `tell` hears of every setback that another try follows.
 * @throws {Failure} when it is refused, or `unavailable` when tries or time have run out.
 */
export async function post(
  body: Uint8Array<ArrayBuffer>,
  delivery: Delivery & { userAgent: string },
  tell: (message: string) => void,
): Promise<Receipt> {
  const deadline = performance.now() + delivery.maxSeconds * 1000;
  const attempt = (remainingMs: number): Promise<Receipt | Setback> => tryOnce(body, delivery, remainingMs);
  return persist({ tries: delivery.tries, deadline }, attempt, tell);
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
    return judge(response, await startOf(response, LONGEST_ANSWER), body.byteLength);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unreachable(error);
  }
}

function judge({ status, headers }: Response, answer: string, bytes: number): Receipt | Setback {
  if (status === 202) {
    // An answer that was cut off may be Leeway's; the next try is told that it is a duplicate.
    return receiptOf(answer) ?? { problem: "what answered is not Leeway, or was cut off", retryAfterMs: 0 };
  }
  if (status === 408 || status === 429 || status >= 500) {
    return { problem: `Leeway answers ${status}`, retryAfterMs: retryAfterMs(headers) };
  }
  throw refusalOf(status, bytes);
}

/** No text of the other side goes to the terminal but what has the form of ours. */
function receiptOf(answer: string): Receipt | undefined {
  const receipt = parseJson(answer);
  if (!isObject(receipt)) return undefined;
  const [status = "", deliveryId = ""] = [text(receipt, "status"), text(receipt, "delivery_id")];
  return /^[a-z]{1,20}$/.test(status) && /^[\w-]{1,64}$/.test(deliveryId)
    ? { status, deliveryId }
    : undefined;
}

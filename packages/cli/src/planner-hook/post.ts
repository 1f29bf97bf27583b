import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { isObject, text } from "@leeway/shared/json";

import { Failure } from "../failure.ts";
import { refusalOf } from "./refusal.ts";

const LONGEST_TRY_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
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

/** What a try came to when another may do better. */
interface Setback {
  problem: string;
  retryAfterMs: number;
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
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(body, delivery, deadline - performance.now());
    if ("deliveryId" in outcome) return outcome;
    const pauseMs = Math.max(pauseAfter(attempt), outcome.retryAfterMs);
    const isLast = attempt >= delivery.tries || performance.now() + pauseMs >= deadline;
    if (isLast) throw new Failure("unavailable", givenUp(outcome, attempt));
    tell(`${outcome.problem}; trying again in ${inSeconds(pauseMs)} s`);
    await sleep(pauseMs);
  }
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
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(LONGEST_TRY_MS, remainingMs))));
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return judge(response, await startOf(response), body.byteLength);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return { problem: `Leeway can't be reached (${causeOf(error)})`, retryAfterMs: 0 };
  }
}

function judge({ status, headers }: Response, answer: string, bytes: number): Receipt | Setback {
  if (status === 202) {
    // An answer that was cut off may be Leeway's; the next try is told that it is a duplicate.
    return receiptOf(answer) ?? { problem: "what answered is not Leeway, or was cut off", retryAfterMs: 0 };
  }
  if (status === 408 || status === 429 || status >= 500) {
    return { problem: `Leeway answers ${status}`, retryAfterMs: retryAfterMs(headers.get("retry-after")) };
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

function parseJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let start = "";
  for await (const chunk of body ?? []) {
    start += decoder.decode(chunk, { stream: true });
    if (start.length > LONGEST_ANSWER) break;
  }
  return start;
}

/** Seconds or a date, RFC 9110; 0 when it is neither. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Doubles from try to try; by chance up to half less, so that many planners don't come back at once. */
function pauseAfter(attempt: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return longest * (1 - Math.random() / 2);
}

/** The code of a failure of the network, as the runtime names it; messages may quote the address. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "no answer in time";
  const codes = [error.cause, error].map((each) =>
    each instanceof Error && "code" in each ? each.code : undefined,
  );
  return codes.find((code) => typeof code === "string") ?? error.name;
}

function givenUp({ problem, retryAfterMs }: Setback, attempts: number): string {
  const wish = retryAfterMs > 0 ? `, and asks to come back in ${inSeconds(retryAfterMs)} s` : "";
  return `${problem}${wish}: given up after ${attempts} ${attempts === 1 ? "try" : "tries"}`;
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1).replace(/\.0$/, "");
}

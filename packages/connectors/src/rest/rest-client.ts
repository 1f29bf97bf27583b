import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { AnswerTooLarge } from "@leeway/shared/security/egress/read-answer";

import { ConnectorError, type CallLimits, type ShardFailure } from "../connector.ts";
import type { Clock } from "./clock.ts";
import { throttles } from "../throttles.ts";
import { createPace } from "./pace.ts";
import type { TokenSource } from "./token-source.ts";

/** Twice the max answer of Resource Graph, and 32 KiB per asset on a page of Google's. */
const MAX_BYTES = 32 << 20;
const TIMEOUT_MS = 60_000;
const MAX_TRIES = 6;
const MAX_SILENT_TRIES = 2;
const FIRST_BACKOFF_MS = 1_000;
/** Longest wait. If a cloud asks for more, the call fails. */
const LONGEST_PAUSE_MS = 120_000;

/** A cloud's answer; the body is empty unless it is a JSON object. */
export interface Answer {
  status: number;
  headers: Headers;
  body: JsonObject;
}

interface RestRequest {
  url: string;
  /** Defaults to a GET. */
  init?: RequestInit;
  /** Tokens to send with the request; absent if none are needed yet. */
  tokens?: TokenSource;
  /** Translates an answer that isn't a success, in our words. */
  failureOf(answer: Answer): ShardFailure;
}

export interface RestClient {
  /**
   * Calls until there is an answer. Throttled calls wait as long as the cloud asks; an expired token is renewed.
   * @throws {ConnectorError} when waiting doesn't help
   */
  call(request: RestRequest, signal: AbortSignal): Promise<JsonObject>;
}

/** Returns the options for a POST with a JSON body. */
export function jsonPost(body: JsonObject): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export interface RestOptions extends CallLimits {
  egress: Egress;
  clock: Clock;
}

/** @param pauseOf returns the wait that an answer asks for, in milliseconds; undefined if it asks for none */
export function createRestClient(
  { egress, clock, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: RestOptions,
  pauseOf: (answer: Answer) => number | undefined,
): RestClient {
  const pace = createPace(clock);

  async function attempt(
    request: RestRequest,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    await pace.turn(signal);
    const answer = await send(egress, request, { token, signal, timeoutMs, maxBytes });
    const pause = pauseOf(answer) ?? 0;
    if (isThrottled(answer, request)) {
      throttles.inc();
      pace.slower();
    } else if (isSuccess(answer)) pace.faster();
    if (pause > LONGEST_PAUSE_MS && !isSuccess(answer)) throw new ConnectorError(request.failureOf(answer));
    pace.hold(Math.min(pause, LONGEST_PAUSE_MS));
    return answer;
  }

  return {
    async call(request, signal) {
      let renewed = false;
      for (let tries = 1; ; tries += 1) {
        const token = await request.tokens?.get(signal);
        const answer = await persistently(() => attempt(request, token, signal));
        if (isSuccess(answer)) return answer.body;
        if (answer.status === 401 && request.tokens && !renewed) {
          request.tokens.renew();
          renewed = true;
        } else if (tries < MAX_TRIES && mayPass(answer, request)) {
          if (pauseOf(answer) === undefined) pace.hold(FIRST_BACKOFF_MS * 2 ** (tries - 1));
        } else throw new ConnectorError(request.failureOf(answer));
      }
    },
  };
}

/** Retries once after a timeout. */
async function persistently(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isSilent = error instanceof ConnectorError && error.failure.code === "timeout";
      if (!isSilent || tries === MAX_SILENT_TRIES) throw error;
    }
  }
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function isThrottled(answer: Answer, { failureOf }: RestRequest): boolean {
  return !isSuccess(answer) && failureOf(answer).code === "throttled";
}

function mayPass(answer: Answer, request: RestRequest): boolean {
  return answer.status >= 500 || isThrottled(answer, request);
}

interface Sending {
  token: string | undefined;
  signal: AbortSignal;
  timeoutMs: number;
  maxBytes: number;
}

async function send(
  egress: Egress,
  { url, init }: RestRequest,
  { token, ...bounds }: Sending,
): Promise<Answer> {
  try {
    const headers = new Headers(init?.headers);
    headers.set("accept", "application/json");
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const response = await egress.fetch(url, { ...init, headers, ...bounds });
    return await answerOf(response);
  } catch (error) {
    bounds.signal.throwIfAborted();
    throw unanswered(error);
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const body = parsed(text);
  if (body === undefined && response.ok)
    throw new ConnectorError(internal("the response isn't a JSON object"));
  return { status, headers, body: body ?? {} };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unanswered(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (!(error instanceof AppError)) return new ConnectorError(internal("the request failed")); // it may quote a token
  const { code, message, cause } = error;
  const isSilent = code === "unavailable" && !(cause instanceof AnswerTooLarge);
  return new ConnectorError({ code: isSilent ? "timeout" : "internal", message }, { cause: error });
}

function internal(message: string): ShardFailure {
  return { code: "internal", message };
}

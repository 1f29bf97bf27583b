import type { ChannelKind, ChannelTarget } from "@leeway/shared/contracts/webhooks/channels";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { present, text, type JsonObject } from "@leeway/shared/values/json";

import { retryAfterOf } from "../../retry-after.ts";
import { textOf, type Text } from "../content.ts";
import type { Kind, Sent, Target } from "../kind.ts";

const TIMEOUT_MS = 10_000;
const GONE = 410;
/** Statuses whose Retry-After is respected, up to an hour. */
const PAUSES: ReadonlySet<number> = new Set([429, 503]);
const LONGEST_PAUSE_SECONDS = 3_600;

/** Returns a kind whose receiver has one URL and takes messages as JSON without a signature. */
export function urlKind(kind: ChannelKind, messageOf: (texts: readonly Text[]) => JsonObject): Kind {
  const targetOf = (url: string): Target => ({
    stored: { kind, url },
    shown: shownUrl(url),
    send: ({ senders }, { events }) =>
      post(senders.egress, { url, body: JSON.stringify(messageOf(events.map(textOf))) }),
  });
  return {
    check: async ({ egress }, given) => targetOf(await checkedUrl(egress, given)),
    restore: (stored) => targetOf(text(stored, "url") ?? ""),
  };
}

/** Returns the visible part of a URL, which may contain a secret: only its host. */
export function shownUrl(url: string): { host: string } {
  return { host: new URL(url).host };
}

/** @throws {AppError} `invalid_parameter` */
export async function checkedUrl(egress: Egress, { url, to }: ChannelTarget): Promise<string> {
  if (to !== undefined) throw invalidParameter("target.to", "is only allowed for e-mail; set target.url");
  if (url === undefined) throw invalidParameter("target.url", "is required", "required");
  try {
    await egress.check(url);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isRefused = error.code === "invalid_parameter";
    const message = isRefused
      ? error.message.replace(/^the address /, "")
      : "has a host name that can't be resolved";
    throw invalidParameter("target.url", message);
  }
  return url;
}

/** Posts JSON once. */
export async function post(
  egress: Egress,
  { url, body, headers = {} }: { url: string; body: string; headers?: Record<string, string> },
): Promise<Sent> {
  try {
    const { status, headers: answered } = await egress.fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
      timeoutMs: TIMEOUT_MS,
      onlyHead: true, // a 2xx status confirms receipt, whatever the body
    });
    if (status >= 200 && status < 300) return { delivered: true, status };
    const isRedirect = status >= 300 && status < 400;
    const reason = isRedirect
      ? `the receiver answered ${status}; redirects aren't followed`
      : `the receiver answered ${status}`;
    const retryAfterSeconds = PAUSES.has(status) ? pauseOf(answered) : undefined;
    return {
      delivered: false,
      status,
      reason,
      ...(status === GONE && { gone: true }),
      ...present({ retryAfterSeconds }),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { delivered: false, reason: error.message };
  }
}

function pauseOf(headers: Headers): number | undefined {
  const seconds = retryAfterOf(headers, Date.now());
  return seconds && Math.min(LONGEST_PAUSE_SECONDS, Math.max(0, seconds));
}

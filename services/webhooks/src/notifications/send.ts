import type { Egress } from "@leeway/shared/egress/egress";
import { AppError } from "@leeway/shared/errors";
import { present, type JsonObject } from "@leeway/shared/json";

import { retryAfterOf } from "../retry-after.ts";
import { payloadOf, textOf, type Told } from "./content.ts";
import { sendMail, type MailSettings } from "./mail.ts";
import { signatureHeaders } from "./signature.ts";
import { slackMessage } from "./slack.ts";
import type { Target } from "./target.ts";
import { teamsMessage } from "./teams.ts";

const TIMEOUT_MS = 10_000;
const GONE = 410;
/** Answers whose Retry-After is heeded, up to an hour. */
const PAUSES: ReadonlySet<number> = new Set([429, 503]);
const LONGEST_PAUSE_SECONDS = 3_600;

/** What sends, to wherever a channel leads. */
export interface Senders {
  egress: Egress;
  /** Without it there is no e-mail. */
  mail: MailSettings | undefined;
}

/** Why an attempt came to nothing. */
export interface Failure {
  delivered: false;
  reason: string;
  status?: number;
  gone?: true;
  /** Whom of its recipients an e-mail may still reach: the others have it, or never will. */
  left?: string[];
  /** For so long the receiver wants to be left alone. */
  retryAfterSeconds?: number;
}

/** What one attempt came to. */
export type Sent = { delivered: true; reason?: string; status?: number } | Failure;

/** What is to be sent; `told` holds more than one in a digest. */
export interface Outgoing {
  orgId: string;
  messageId: string;
  type: string;
  createdAt: string;
  told: readonly Told[];
}

/** Sends a message once; a receiver that fails is an outcome. */
export async function sendMessage(senders: Senders, target: Target, message: Outgoing): Promise<Sent> {
  const texts = message.told.map(textOf);
  switch (target.kind) {
    case "webhook": {
      const body = JSON.stringify(webhookBody(message));
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = signatureHeaders(target.secret, { id: message.messageId, timestamp, body });
      return post(senders.egress, target.url, body, headers);
    }
    case "slack":
      return post(senders.egress, target.url, JSON.stringify(slackMessage(texts)));
    case "teams":
      return post(senders.egress, target.url, JSON.stringify(teamsMessage(texts)));
    case "email": {
      if (!senders.mail) return { delivered: false, reason: "e-mail isn't set up on this server" };
      return mailed(senders.mail, { messageId: message.messageId, to: target.to, texts });
    }
  }
}

function webhookBody({ orgId, messageId, type, createdAt, told }: Outgoing): JsonObject {
  const [only] = told;
  if (type !== "digest" && only) return payloadOf(orgId, only);
  const events = told.map((one) => payloadOf(orgId, one));
  return payloadOf(orgId, { id: messageId, type, createdAt, data: { events } });
}

async function post(
  egress: Egress,
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Sent> {
  try {
    const { status, headers: answered } = await egress.fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
      timeoutMs: TIMEOUT_MS,
      onlyHead: true, // whoever says 2xx has the message, whatever else is said
    });
    if (status >= 200 && status < 300) return { delivered: true, status };
    const isRedirect = status >= 300 && status < 400;
    const reason = isRedirect ? `it answered ${status}; redirects aren't followed` : `it answered ${status}`;
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

/** What a mail server says may quote whatever it likes: of it only the code is told. */
async function mailed(mail: MailSettings, message: Parameters<typeof sendMail>[1]): Promise<Sent> {
  try {
    const { count, later } = await sendMail(mail, message);
    const reason = `the mail server refused ${count} of ${message.to.length} addresses`;
    if (later.length > 0) return { delivered: false, reason, left: later };
    return { delivered: true, ...(count > 0 && { reason }) };
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : undefined;
    if (typeof code !== "number") return { delivered: false, reason: "the mail server can't be reached" };
    return { delivered: false, reason: `the mail server answered ${code}`, status: code };
  }
}

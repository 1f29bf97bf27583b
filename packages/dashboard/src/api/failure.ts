import { visible } from "./visible.ts";

/** One field that the API refused. */
export interface RefusedField {
  field: string;
  /** Why, for programs. */
  code: string;
  message: string;
}

const SECOND_MS = 1_000;

/** What the API answered when it didn't do what it was asked. */
export class ApiFailure extends Error {
  /** 0 when nobody answered. */
  readonly status: number;
  /** What went wrong, for programs; empty where the API gives none. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** When that is over, in milliseconds since 1970. */
  readonly retryAt: number | undefined;
  readonly fields: readonly RefusedField[];
  /** All that was answered. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>, headers = new Headers()) {
    super(textOf(body["message"]) ?? textOf(body["error"]) ?? `The answer was ${status}.`);
    this.name = "ApiFailure";
    this.status = status;
    this.code = textOf(body["code"]) ?? "";
    this.requestId = headers.get("x-request-id") ?? textOf(body["request_id"]);
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
    this.retryAt = this.retryAfterSeconds && Date.now() + SECOND_MS * this.retryAfterSeconds;
    this.fields = Array.isArray(body["details"]) ? body["details"].flatMap(refusedFieldOf) : [];
    this.body = body;
  }
}

/** The failure when nobody answers, or something else than Leeway does. */
export function unreachable(): ApiFailure {
  return new ApiFailure(0, { code: "unreachable", message: "Leeway can't be reached." });
}

/** The failure that an answer tells of, whatever its body is. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body = visible(await response.json().catch(() => ({})));
  return new ApiFailure(response.status, isRecord(body) ? body : {}, response.headers);
}

/** The same failure of a reading; what nothing can be called, by the names of the path's steps, isn't found. */
export function notFoundAt(steps: readonly string[], failure: ApiFailure): ApiFailure {
  const { status, fields } = failure;
  const isNowhere = status === 400 && fields.length > 0 && fields.every(({ field }) => steps.includes(field));
  return isNowhere
    ? new ApiFailure(404, { code: "not_found", message: "there is nothing at this address" })
    : failure;
}

/** Whether it may be gone in a moment: Leeway isn't reached or, as what stands before it says, isn't there. */
export function mayPass({ status }: ApiFailure): boolean {
  return [0, 502, 503, 504].includes(status);
}

/** Whether nobody knows if what was asked for was done. */
export function isLost({ status, retryAfterSeconds }: ApiFailure): boolean {
  const isUnderWay = status === 409 && retryAfterSeconds !== undefined;
  return status === 0 || status >= 500 || isUnderWay;
}

/** A failure for people: what happened, and what they can do. */
export interface Words {
  title: string;
  text: string;
  /** Whether trying the same again can help. */
  retry: boolean;
}

const NO_ANSWER: Words = {
  title: "Leeway doesn't answer",
  text: "It may be starting. Try again in a while.",
  retry: true,
};
/** What is told of failures that have no words of their own, or none for people, by their status. */
const OWN_WORDS: Readonly<Record<number, Words>> = {
  0: { title: "Leeway can't be reached", text: "Check your connection, then try again.", retry: true },
  401: { title: "You were signed out", text: "Sign in, and try again.", retry: false },
  500: { title: "Leeway failed", text: "That is our fault. Trying again may help.", retry: true },
  502: NO_ANSWER,
  504: NO_ANSWER,
};

/** The only place where failures are put into words; what the API says itself stays as it is. */
export function inWords(error: unknown): Words {
  if (!(error instanceof ApiFailure)) {
    return { title: "The dashboard failed", text: "Reload the page to go on.", retry: true };
  }
  const text = sentence(error.message);
  switch (error.status) {
    case 403:
      return { title: "Not allowed", text, retry: false };
    case 404:
      return { title: "Not found", text, retry: false };
    case 429:
      return { title: "Too many requests", text, retry: true };
    case 503:
      return { title: "Not available just now", text, retry: true };
    default:
      return OWN_WORDS[error.status] ?? { title: "That didn't work", text, retry: false };
  }
}

/** What the API says, as a sentence. */
export function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function refusedFieldOf(value: unknown): RefusedField[] {
  if (!isRecord(value)) return [];
  const { field, code, message } = value;
  if (typeof field !== "string" || typeof message !== "string") return [];
  return [{ field, code: textOf(code) ?? "", message }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

import { visible } from "./visible.ts";

/** One field that the API rejected. */
export interface RefusedField {
  field: string;
  /** Reason, for programs. */
  code: string;
  message: string;
}

const SECOND_MS = 1_000;

/** Error answer of the API. */
export class ApiFailure extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Error code, for programs; empty if the API gives none. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Earliest time of a retry, in ms since 1970. */
  readonly retryAt: number | undefined;
  readonly fields: readonly RefusedField[];
  /** Whole body of the answer. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>, headers = new Headers()) {
    super(textOf(body["message"]) ?? textOf(body["error"]) ?? `The server answered ${status}.`);
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

/** Returns the failure for no answer, or for one that isn't Leeway's. */
export function unreachable(): ApiFailure {
  return new ApiFailure(0, { code: "unreachable", message: "Leeway can't be reached." });
}

/** Returns the failure in an error answer, whatever its body. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body = visible(await response.json().catch(() => ({})));
  return new ApiFailure(response.status, isRecord(body) ? body : {}, response.headers);
}

/** Turns a read's 400 into "not found" if every rejected field is a path parameter: such an id can't exist. */
export function notFoundAt(steps: readonly string[], failure: ApiFailure): ApiFailure {
  const { status, fields } = failure;
  const isNowhere = status === 400 && fields.length > 0 && fields.every(({ field }) => steps.includes(field));
  return isNowhere
    ? new ApiFailure(404, { code: "not_found", message: "there is nothing at this address" })
    : failure;
}

/** Returns whether a failure may be temporary: Leeway can't be reached, or a proxy reports it as down. */
export function mayPass({ status }: ApiFailure): boolean {
  return [0, 502, 503, 504].includes(status);
}

/** Returns whether the operation may have taken effect, although the answer was lost. */
export function isLost({ status, retryAfterSeconds }: ApiFailure): boolean {
  const isUnderWay = status === 409 && retryAfterSeconds !== undefined;
  return status === 0 || status >= 500 || isUnderWay;
}

/** A failure in words: what happened, and what people can do. */
export interface Words {
  title: string;
  text: string;
  /** Whether a retry can help. */
  retry: boolean;
}

const NO_ANSWER: Words = {
  title: "Leeway doesn't answer",
  text: "It may be starting. Try again in a few minutes.",
  retry: true,
};
/** Texts, by status, for failures without a message for people. */
const OWN_WORDS: Readonly<Record<number, Words>> = {
  0: { title: "Leeway can't be reached", text: "Check your connection and try again.", retry: true },
  401: { title: "You were signed out", text: "Sign in and try again.", retry: false },
  500: { title: "Leeway failed", text: "The server had an internal error. Try again.", retry: true },
  502: NO_ANSWER,
  504: NO_ANSWER,
};

/** Describes a failure. This is the only place that does; the API's own messages stay unchanged. */
export function inWords(error: unknown): Words {
  if (!(error instanceof ApiFailure)) {
    return { title: "The dashboard failed", text: "Reload the page to continue.", retry: true };
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
      return { title: "Temporarily unavailable", text, retry: true };
    default:
      return OWN_WORDS[error.status] ?? { title: "That didn't work", text, retry: false };
  }
}

/** Returns the API's message as a sentence. */
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

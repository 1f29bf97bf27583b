import { ConnectorError, type ShardFailure } from "../connector.ts";

/** What was asked, to tell in words of ours what came of it. */
export interface Question {
  /** The permission that it takes, which is the name of the call too. */
  action: string;
  region: string;
  /** How long whom AWS asks to slow down goes on; as long as it takes unless somebody looks on. */
  patienceMs?: number;
}

/** AWS refused, or didn't answer. Nothing of its own text is in here: that may hold what nobody should read. */
export class AwsFailure extends ConnectorError {
  /** AWS's word for it, such as `ThrottlingException`. */
  readonly awsCode: string;
  /** The permission that is missing, where that is the reason. */
  readonly missing: string | undefined;

  constructor(failure: ShardFailure, awsCode: string, missing?: string) {
    super(failure, { cause: new Error(awsCode) });
    this.awsCode = awsCode;
    this.missing = missing;
  }
}

/** What `error`, thrown by a client of AWS, means. */
export function awsFailure(error: unknown, question: Question): AwsFailure {
  if (error instanceof AwsFailure) return error;
  const awsCode = codeOf(error);
  const text = error instanceof Error ? error.message : "";
  if (DENIED.test(awsCode) || HANDLER_DENIED.test(text)) return denied(awsCode, text, question);
  const { action, region } = question;
  if (NOBODY.test(awsCode))
    return new AwsFailure(
      { code: "internal", message: "Leeway's server has no AWS identity to assume the role with" },
      awsCode,
    );
  const code = HANDLER_THROTTLED.test(text) || statusOf(error) === 429 ? "throttled" : meaning(awsCode);
  const status = statusOf(error);
  const said = awsCode === "Unknown" && typeof status === "number" ? `it answered ${status}` : awsCode;
  return new AwsFailure({ code, message: `${SAID[code]} (${action} in ${region}: ${said})` }, awsCode);
}

function meaning(awsCode: string): ShardFailure["code"] {
  return MEANINGS.find(([pattern]) => pattern.test(awsCode))?.[1] ?? "internal";
}

const SAID: Readonly<Record<ShardFailure["code"], string>> = {
  permission_denied: "AWS doesn't accept the credentials",
  throttled: "AWS asks to slow down",
  timeout: "AWS doesn't answer",
  unsupported: "AWS doesn't offer this",
  internal: "AWS failed",
};

/** Whether the credentials are no good for anything, rather than for one call. */
export function rejectsCredentials({ awsCode, missing }: AwsFailure): boolean {
  return REJECTED.test(awsCode) || missing?.startsWith("sts:") === true;
}

function denied(awsCode: string, text: string, { action, region }: Question): AwsFailure {
  const named = /not authorized to perform:? ([a-z0-9-]{1,40}:[A-Za-z0-9]{1,80})/.exec(text)?.[1];
  // A type's own service refused, and not the one that was asked for it.
  const isOfHandler = text.includes("Handler returned status");
  const missing = named ?? (isOfHandler ? undefined : action);
  const message = `${missing ?? "what a type's own service asks for"} isn't allowed in ${region}`;
  return new AwsFailure({ code: "permission_denied", message }, awsCode, missing);
}

/** How long AWS asks to wait before the next try, in milliseconds. */
export function retryAfterMs(error: unknown): number | undefined {
  const headers = headersOf(error);
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  const ms = Number.parseFloat(headers.get("x-amz-retry-after") ?? "");
  const wait = Number.isNaN(seconds) ? ms : seconds * 1000;
  return wait >= 0 ? wait : undefined;
}

const REJECTED =
  /^(?:ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature|IncompleteSignature|InvalidAccessKeyId|MissingAuthenticationToken|RequestExpired|InvalidToken)(?:Exception)?$/;
const DENIED =
  /^(?:AccessDenied|Unauthorized|UnauthorizedOperation|NotAuthorized|AuthFailure|OptInRequired)(?:Exception)?$/;
const HANDLER_DENIED = /HandlerErrorCode: (?:AccessDenied|InvalidCredentials|UnauthorizedTaggingOperation)\b/;
const THROTTLED = /Throttl|^(?:TooManyRequests|RequestLimitExceeded|SlowDown|BandwidthLimitExceeded)/;
const HANDLER_THROTTLED = /HandlerErrorCode: Throttling\b/;
const SILENT =
  /^(?:TimeoutError|RequestTimeout(?:Exception)?|ServiceUnavailable(?:Exception)?|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ConnectionRefused)$/;
const UNSUPPORTED = /^(?:UnsupportedAction|TypeNotFound)(?:Exception)?$/;
const NOBODY = /^CredentialsProviderError$/;
const MEANINGS: readonly (readonly [RegExp, ShardFailure["code"]])[] = [
  [REJECTED, "permission_denied"],
  [THROTTLED, "throttled"],
  [SILENT, "timeout"],
  [UNSUPPORTED, "unsupported"],
];

/** AWS's or the system's name for an error; only what looks like one is let through. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "Unknown";
  const system = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const code = system !== undefined && SILENT.test(system) ? system : error.name;
  return /^[A-Za-z0-9_.]{1,80}$/.test(code) ? code : "Unknown";
}

/** The HTTP status that an error of a client came with. */
export function statusOf(error: unknown): unknown {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const metadata = error.$metadata;
  return typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata
    ? metadata.httpStatusCode
    : undefined;
}

function headersOf(error: unknown): Map<string, string> {
  const response = error instanceof Error && "$response" in error ? error.$response : undefined;
  const hasHeaders = typeof response === "object" && response !== null && "headers" in response;
  const headers = hasHeaders && typeof response.headers === "object" ? response.headers : null;
  return new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

import { ConnectorError, type ShardFailure } from "../connector.ts";

/** A call, for naming it in failure messages. */
export interface Question {
  /** Required permission, which is also the name of the call. */
  action: string;
  region: string;
  /** Max time to retry throttled calls; unlimited by default. Set when a user waits for the answer. */
  patienceMs?: number;
}

/** A refusal or a missing answer. AWS's own text is left out because it may contain secrets. */
export class AwsFailure extends ConnectorError {
  /** AWS's error code, such as `ThrottlingException`. */
  readonly awsCode: string;
  /** Missing permission, if that is the reason. */
  readonly missing: string | undefined;

  constructor(failure: ShardFailure, awsCode: string, missing?: string) {
    super(failure, { cause: new Error(awsCode) });
    this.awsCode = awsCode;
    this.missing = missing;
  }
}

/** Translates an error that an AWS client threw. */
export function awsFailure(error: unknown, question: Question): AwsFailure {
  if (error instanceof AwsFailure) return error;
  const awsCode = codeOf(error);
  const text = error instanceof Error ? error.message : "";
  if (DENIED.test(awsCode) || HANDLER_DENIED.test(text)) return denied(awsCode, text, question);
  const { action, region } = question;
  if (NOBODY.test(awsCode))
    return new AwsFailure(
      { code: "internal", message: "the Leeway server has no AWS identity to assume the role with" },
      awsCode,
    );
  const code = HANDLER_THROTTLED.test(text) || statusOf(error) === 429 ? "throttled" : meaning(awsCode);
  const status = statusOf(error);
  const said = awsCode === "Unknown" && typeof status === "number" ? `status ${status}` : awsCode;
  return new AwsFailure({ code, message: `${SAID[code]} (${action} in ${region}: ${said})` }, awsCode);
}

function meaning(awsCode: string): ShardFailure["code"] {
  return MEANINGS.find(([pattern]) => pattern.test(awsCode))?.[1] ?? "internal";
}

const SAID: Readonly<Record<ShardFailure["code"], string>> = {
  permission_denied: "AWS rejected the credentials",
  throttled: "AWS is throttling requests",
  timeout: "AWS didn't answer",
  unsupported: "AWS doesn't support this",
  internal: "AWS failed",
};

/** Reports whether AWS rejects the credentials for every call, not only for this one. */
export function rejectsCredentials({ awsCode, missing }: AwsFailure): boolean {
  return REJECTED.test(awsCode) || missing?.startsWith("sts:") === true;
}

function denied(awsCode: string, text: string, { action, region }: Question): AwsFailure {
  const named = /not authorized to perform:? ([a-z0-9-]{1,40}:[A-Za-z0-9]{1,80})/.exec(text)?.[1];
  // The type's own service refused the call, not Cloud Control.
  const isOfHandler = text.includes("Handler returned status");
  const missing = named ?? (isOfHandler ? undefined : action);
  const message = `${missing ?? "a permission of the resource type's own service"} isn't allowed in ${region}`;
  return new AwsFailure({ code: "permission_denied", message }, awsCode, missing);
}

/** Returns the wait that AWS asks for, in milliseconds. */
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

/** Returns AWS's or the system's error code, or `Unknown` if it doesn't look like a code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "Unknown";
  const system = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const code = system !== undefined && SILENT.test(system) ? system : error.name;
  return /^[A-Za-z0-9_.]{1,80}$/.test(code) ? code : "Unknown";
}

/** Returns the HTTP status of a client's error. */
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

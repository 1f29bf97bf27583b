import { AppError, type ErrorCode } from "@leeway/shared/values/errors";
import type { JsonObject } from "@leeway/shared/values/json";

import type { Answered } from "../http/endpoint.ts";
import { failureAnswer } from "../http/failure.ts";
import { SAMPLES } from "./errors.ts";
import { examplesOf, headers, reference } from "./references.ts";
import { responseSchema } from "./schemas.ts";

const REQUEST_ID = "0199bd6e-0e1f-7c41-8a5d-6f2f0c9d4b11";

/** Describes a response with any of these errors, or with another answer of the same status. */
export function failure(codes: readonly ErrorCode[], other?: Answered): JsonObject {
  const isRetryable = codes.some((code) => code === "rate_limited" || code === "unavailable");
  const names = new Set(codes.map((code) => (code === "invalid_body" ? "InvalidBody" : "Error")));
  const schemas = [
    ...Array.from(names, (name) => reference("schemas", name)),
    ...(other?.schema ? [responseSchema(other.schema)] : []),
  ];
  const [only, ...more] = schemas;
  const schema = only !== undefined && more.length === 0 ? only : { anyOf: schemas };
  const samples = Object.fromEntries(codes.map((code) => [code, sample(code)]));
  return {
    description: [...codes.map((code) => `\`${code}\``), ...(other ? [other.description] : [])].join(", "),
    headers: headers(
      new Set(["X-Request-Id", ...(isRetryable ? ["Retry-After"] : []), ...(other?.headers ?? [])]),
    ),
    content: {
      "application/json": { schema, examples: examplesOf({ ...samples, ...other?.examples }) },
      "application/problem+json": { schema: reference("schemas", "Problem") },
    },
  };
}

/** Returns the body that a client would get. */
function sample(code: ErrorCode): unknown {
  const { message, ...rest } = SAMPLES[code];
  const { body } = failureAnswer(new AppError(code, message, rest), { requestId: REQUEST_ID, accept: null });
  return JSON.parse(String(body));
}

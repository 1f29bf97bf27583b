import { withoutIdleValues } from "@leeway/analysis/plan/idle";
import {
  isPlanStream,
  refuseBinaryPlan,
  refusePlanStream,
  isBinaryPlan,
  requirePlan,
} from "@leeway/analysis/plan/upload";
import { strict } from "@leeway/shared/contract";
import { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import { AppError } from "@leeway/shared/errors";
import { isObject } from "@leeway/shared/json";
import { maskPlan } from "@leeway/shared/plan/mask-plan";
import { decodeStrict } from "@leeway/shared/strict-json/decode-strict";
import { parseAnyJson, refuseUnstorable, type ParsedJson } from "@leeway/shared/strict-json/json-text";

const STRICT = strict(Submission);
/** What `terraform plan -out` writes, where somebody has put it into JSON. */
const BINARY_TEXT = /^(?:PK|UEsDB)/;

/** A submission that was read: its plan masked, as JSON, and all else. */
export interface ReadSubmission {
  wish: Omit<Submission, "plan">;
  plan: string;
  warnings: string[];
}

/**
 * Reads what a pipeline submitted.
 * @throws {AppError} as `SubmitPlan` says
 */
export function readSubmission(bytes: Uint8Array): ReadSubmission {
  if (isBinaryPlan(bytes)) refuseBinaryPlan();
  const parsed = parsedBody(bytes);
  const { plan: given, ...wish } = decodeSubmission(parsed);
  refuseUnstorable(wish);
  const { plan, warnings } = requirePlan(isObject(given) ? given : {});
  return { wish, plan: JSON.stringify(maskPlan(withoutIdleValues(plan))), warnings };
}

function parsedBody(bytes: Uint8Array): ParsedJson {
  try {
    return parseAnyJson(bytes);
  } catch (error) {
    if (isPlanStream(Buffer.from(bytes.subarray(0, 4_096)).toString("utf8"))) refusePlanStream();
    throw error;
  }
}

function decodeSubmission(parsed: ParsedJson): Submission {
  try {
    return decodeStrict(STRICT, parsed);
  } catch (error) {
    const isUnknownField = error instanceof AppError && error.code === "invalid_body";
    if (!isUnknownField && isObject(parsed.value)) nameOtherPlan(parsed.value["plan"]);
    throw error;
  }
}

/** Says what somebody put in the place of a plan that is no object, if it shows. */
function nameOtherPlan(plan: unknown): void {
  if (typeof plan === "string" && BINARY_TEXT.test(plan)) refuseBinaryPlan();
  const first: unknown = Array.isArray(plan) ? plan[0] : plan;
  if (typeof first === "string" && isPlanStream(first)) refusePlanStream();
  if (isObject(first) && Array.isArray(plan) && "@level" in first) refusePlanStream();
}

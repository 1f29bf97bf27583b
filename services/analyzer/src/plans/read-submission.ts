import { isIdle } from "@leeway/analysis/noise/idle";
import {
  isPlanStream,
  refuseBinaryPlan,
  refusePlanStream,
  isBinaryPlan,
  requirePlan,
} from "@leeway/analysis/plan/upload";
import { strict } from "@leeway/shared/contracts/contract";
import { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import { AppError } from "@leeway/shared/values/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { formatVersion, readMaskedPlan, type ReadPlan } from "@leeway/analysis/plan/mask-plan";
import { decodeStrict } from "@leeway/shared/values/strict-json/decode-strict";
import type { JsonReader } from "@leeway/shared/values/strict-json/json-reader";
import { readJson, refuseUnstorable } from "@leeway/shared/values/strict-json/json-text";

const STRICT = strict(Submission);
/** Maximum of parts in one value of a submission, such as a change's before and after. */
const MAX_PARTS = 250_000;
const PLAN_ITSELF =
  'the body is the plan itself; send {"plan": …} with the output of `terraform show -json PLAN`';
/** Start of a binary plan (`terraform plan -out`) inside a JSON string, as bytes or Base64. */
const BINARY_TEXT = /^(?:PK|UEsDB)/;

/** Submission, split into its masked plan (JSON) and everything else. */
export interface ReadSubmission {
  options: Omit<Submission, "plan">;
  plan: string;
}

/**
 * Reads a pipeline's submission.
 * @throws {AppError} as in the contract of `SubmitPlan`
 */
export function readSubmission(bytes: Uint8Array): ReadSubmission {
  if (isBinaryPlan(bytes)) refuseBinaryPlan();
  const { submission, read } = readParts(bytes);
  const { plan: _, ...options } = decodeSubmission(submission, bytes);
  refuseUnstorable(options);
  requirePlan(read.outline);
  return { options, plan: read.json };
}

/** Reads the submission, with an empty object for the plan, and the plan, which is masked while it is read. */
function readParts(bytes: Uint8Array): { submission: unknown; read: ReadPlan } {
  let read: ReadPlan = { json: "{}", outline: {} };
  const readMember = (name: string, json: JsonReader): Json => {
    if (name !== "plan" || !json.isObject) return json.value();
    read = readMaskedPlan(json, isIdle);
    return {};
  };
  try {
    const submission = readJson(
      bytes,
      (json) => (json.isObject ? json.object((name) => readMember(name, json)) : json.value()),
      MAX_PARTS,
    );
    return { submission, read };
  } catch (error) {
    if (isPlanStream(Buffer.from(bytes.subarray(0, 4_096)).toString("utf8"))) refusePlanStream();
    throw error;
  }
}

function decodeSubmission(value: unknown, bytes: Uint8Array): Submission {
  try {
    return decodeStrict(STRICT, { value, bytes });
  } catch (error) {
    const isUnknownField = error instanceof AppError && error.code === "invalid_body";
    if (isUnknownField && isObject(value) && isPlanItself(value))
      throw new AppError(error.code, error.message, { fields: { message: PLAN_ITSELF } });
    if (!isUnknownField && isObject(value)) nameOtherPlan(value["plan"]);
    throw error;
  }
}

/** Returns whether the body is the plan itself, valid or not, without the member `plan` around it. */
function isPlanItself(body: JsonObject): boolean {
  return !("plan" in body) && (formatVersion(body) !== undefined || "terraform_version" in body);
}

/** Throws a specific error if `plan` looks like a binary plan or a log stream. */
function nameOtherPlan(plan: unknown): void {
  if (typeof plan === "string" && BINARY_TEXT.test(plan)) refuseBinaryPlan();
  const first: unknown = Array.isArray(plan) ? plan[0] : plan;
  if (typeof first === "string" && isPlanStream(first)) refusePlanStream();
  if (isObject(first) && Array.isArray(plan) && "@level" in first) refusePlanStream();
}

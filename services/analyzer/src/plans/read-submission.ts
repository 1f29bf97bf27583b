import { isIdle } from "@leeway/analysis/plan/idle";
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
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { formatVersion, readMaskedPlan, type ReadPlan } from "@leeway/shared/plan/mask-plan";
import { decodeStrict } from "@leeway/shared/strict-json/decode-strict";
import type { JsonReader } from "@leeway/shared/strict-json/json-reader";
import { readJson, refuseUnstorable } from "@leeway/shared/strict-json/json-text";

const STRICT = strict(Submission);
/** Of each value that is read of a submission: of a change's before and after, of what stands around the changes. */
const MOST_PARTS = 250_000;
const PLAN_ITSELF =
  'this is the plan by itself: send {"plan": …}, with what `terraform show -json PLAN` writes';
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
  const { submission, read } = readParts(bytes);
  const { plan: _, ...wish } = decodeSubmission(submission, bytes);
  refuseUnstorable(wish);
  const { warnings } = requirePlan(read.outline);
  return { wish, plan: read.json, warnings };
}

/** What was submitted, with an empty plan, and the plan, which is masked while it is read. */
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
      MOST_PARTS,
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

/** Whether somebody sent what belongs into the member `plan`, right or wrong, in place of the body. */
function isPlanItself(body: JsonObject): boolean {
  return !("plan" in body) && (formatVersion(body) !== undefined || "terraform_version" in body);
}

/** Says what somebody put in the place of a plan that is no object, if it shows. */
function nameOtherPlan(plan: unknown): void {
  if (typeof plan === "string" && BINARY_TEXT.test(plan)) refuseBinaryPlan();
  const first: unknown = Array.isArray(plan) ? plan[0] : plan;
  if (typeof first === "string" && isPlanStream(first)) refusePlanStream();
  if (isObject(first) && Array.isArray(plan) && "@level" in first) refusePlanStream();
}

import { AppError } from "@leeway/shared/values/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { formatVersion } from "./mask-plan.ts";

const SHOW = "send what `terraform show -json PLAN` writes";
const ZIP = "PK\u0003\u0004";

/** Returns whether bytes start like a binary plan file of Terraform. */
export function isBinaryPlan(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, ZIP.length)).toString("latin1") === ZIP;
}

/**
 * Rejects a binary plan.
 * @throws {AppError} `plan_is_binary`
 */
export function refuseBinaryPlan(): never {
  throw new AppError("plan_is_binary", `this is a binary plan: ${SHOW}`);
}

/** Returns whether a text is a `plan -json` stream: a JSON object with `@level` on each line. */
export function isPlanStream(text: string): boolean {
  const [first = ""] = text.trimStart().split("\n", 1);
  return first.startsWith("{") && /"@(?:level|message|module)"/.test(first);
}

/**
 * Rejects the output of `plan -json`.
 * @throws {AppError} `plan_is_stream`
 */
export function refusePlanStream(): never {
  throw new AppError("plan_is_stream", `this is what \`plan -json\` prints while it works: ${SHOW}`);
}

/**
 * Requires a plan in a known format, and names other document types that it recognizes.
 * @throws {AppError} `state_encrypted`, `plan_is_state_file`, `plan_is_stream`, `unsupported_plan_format`
 */
export function requirePlan(plan: Json): JsonObject {
  if (!isObject(plan)) throw unsupported(`plan must be an object: ${SHOW}`);
  refuseOtherDocuments(plan);
  const version = formatVersion(plan);
  if (version === undefined) throw unsupported(`plan has no format_version: ${SHOW}`);
  if (!/^(?:1(?:\.|$)|0\.[12]$)/.test(version))
    throw unsupported(
      `format_version ${JSON.stringify(version.slice(0, 20))} isn't supported: use 1, 0.1 or 0.2`,
    );
  return plan;
}

function refuseOtherDocuments(plan: JsonObject): void {
  if ("encrypted_data" in plan && "encryption_version" in plan)
    throw new AppError("state_encrypted", `this is encrypted: ${SHOW}`);
  if (("serial" in plan && "lineage" in plan) || isShownState(plan))
    throw new AppError("plan_is_state_file", `this is a state, not a plan: ${SHOW}`);
  if ("@level" in plan || "@message" in plan) refusePlanStream();
}

/** Returns whether a document is `show -json` of a state: values without changes. */
function isShownState(plan: JsonObject): boolean {
  return "values" in plan && !("resource_changes" in plan) && !("planned_values" in plan);
}

function unsupported(message: string): AppError {
  return new AppError("unsupported_plan_format", message);
}

import { gzipSync } from "node:zlib";

import type { FailOn, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import { present, type JsonObject } from "@leeway/shared/values/json";
import { maskInParts } from "@leeway/analysis/plan/mask-plan";

import { describePruned, fitPlan } from "../plan/fit-plan.ts";

/** Maximum size of an uncompressed body. */
const MAX_BYTES = 20 << 20;
/** Minimum size of a body that is compressed. */
const LARGE_BYTES = 64 << 10;

/** Members submitted with the plan. */
export type SubmissionOptions = Omit<Submission, "plan">;

/** Origin of a plan, as flags and pipelines give it. */
export interface About {
  "--repository": string | undefined;
  "--ref": string | undefined;
  "--commit": string | undefined;
  "--author": string | undefined;
  "--pull-number": number;
  "--pull-url": string | undefined;
  "--speculative": "yes" | "no" | undefined;
  "--project": string | undefined;
  "--dir": string | undefined;
  "--workspace": string | undefined;
  "--pipeline-url": string | undefined;
  "--tool": Submission["tool"] | undefined;
}

/** Options for judging the plan, and for posting the result. */
export interface Wants {
  failOn: FailOn | undefined;
  riskProfile: RiskProfile | undefined;
  narrative: boolean;
  comment: boolean;
}

/** Builds the submission without its plan, omitting unknown values. */
export function submissionOptions(
  about: About,
  { failOn, riskProfile, narrative, comment }: Wants,
): SubmissionOptions {
  const project = present({
    name: about["--project"],
    dir: about["--dir"],
    workspace: about["--workspace"],
  });
  const number = about["--pull-number"];
  return present({
    repository: about["--repository"],
    ref: about["--ref"],
    commit_sha: about["--commit"],
    author: about["--author"],
    project: Object.keys(project).length > 0 ? project : undefined,
    change_request: number > 0 ? { number, ...present({ url: about["--pull-url"] }) } : undefined,
    speculative: about["--speculative"] === "yes" ? true : undefined,
    pipeline_url: about["--pipeline-url"],
    tool: about["--tool"],
    fail_on: failOn,
    risk_profile: riskProfile,
    narrative,
    comment,
  });
}

/** A body and the headers that describe it. */
export interface Packed {
  body: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
}

/**
 * Builds the body from the options and the plan, without secrets and without data that the analysis doesn't need.
 * `log` reports omissions from a large plan.
 * @throws {Failure} `plan_too_large`
 */
export function submissionOf(
  plan: JsonObject,
  options: SubmissionOptions,
  log: (message: string) => void,
): Packed {
  const encode = (plan: JsonObject): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(JSON.stringify({ ...options, plan }));
  const { body, pruned } = fitPlan(maskInParts(plan), encode, MAX_BYTES);
  const leftOut = describePruned(pruned, MAX_BYTES);
  if (leftOut !== undefined) log(leftOut);
  const type = { "content-type": "application/json" };
  if (body.byteLength < LARGE_BYTES) return { body, headers: type };
  return { body: new Uint8Array(gzipSync(body)), headers: { ...type, "content-encoding": "gzip" } };
}

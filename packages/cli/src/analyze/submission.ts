import { gzipSync } from "node:zlib";

import type { FailOn } from "@leeway/shared/contracts/analyzer/analysis";
import type { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import { present, type JsonObject } from "@leeway/shared/json";
import { maskInParts } from "@leeway/shared/plan/mask-plan";

import { describePruned, fitPlan } from "../plan/fit-plan.ts";

/** What Leeway takes, before it is packed. */
const MOST_BYTES = 20 << 20;
/** From here on packing is worth it. */
const LARGE_BYTES = 64 << 10;

/** A plan with what is known of it and wanted, as it goes out. */
export type Wishes = Omit<Submission, "plan">;

/** What flags and pipelines say of a plan. */
export interface About {
  "--repository": string | undefined;
  "--ref": string | undefined;
  "--commit": string | undefined;
  "--pull-number": number;
  "--pull-url": string | undefined;
  "--speculative": "yes" | "no" | undefined;
  "--project": string | undefined;
  "--dir": string | undefined;
  "--workspace": string | undefined;
  "--pipeline-url": string | undefined;
  "--tool": Submission["tool"] | undefined;
}

/** What is wanted of the analysis. */
export interface Wants {
  failOn: FailOn | undefined;
  narrative: boolean;
  comment: boolean;
}

/** What is submitted beside the plan; what isn't known is left out. */
export function wishesOf(about: About, { failOn, narrative, comment }: Wants): Wishes {
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
    project: Object.keys(project).length > 0 ? project : undefined,
    change_request: number > 0 ? { number, ...present({ url: about["--pull-url"] }) } : undefined,
    speculative: about["--speculative"] === "yes" ? true : undefined,
    pipeline_url: about["--pipeline-url"],
    tool: about["--tool"],
    fail_on: failOn,
    narrative,
    comment,
  });
}

/** A body, and the header that says whether it is packed. */
export interface Packed {
  body: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
}

/**
 * The plan without secrets and what analysis doesn't need, with the wishes, as a body; pruned where it is too large,
 * of which `tell` hears.
 * @throws {Failure} `plan_too_large`
 */
export function submissionOf(plan: JsonObject, wishes: Wishes, tell: (message: string) => void): Packed {
  const encode = (plan: JsonObject): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(JSON.stringify({ ...wishes, plan }));
  const { body, pruned } = fitPlan(maskInParts(plan), encode, MOST_BYTES);
  for (const each of pruned) tell(describePruned(each));
  const type = { "content-type": "application/json" };
  if (body.byteLength < LARGE_BYTES) return { body, headers: type };
  return { body: new Uint8Array(gzipSync(body)), headers: { ...type, "content-encoding": "gzip" } };
}

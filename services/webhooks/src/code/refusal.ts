import type { CodeProblem, CodeRefused } from "@leeway/shared/contracts/webhooks/code";
import { present } from "@leeway/shared/values/json";

import { HostFailure, orWhen } from "../code-host/failure.ts";

/** Reason why code isn't read or changed that the code host itself doesn't report. */
export class CodeRefusal extends Error {
  override readonly name = "CodeRefusal";
  readonly problem: CodeProblem;
  /** Author of a commit that isn't Leeway's. */
  readonly author: string | undefined;

  constructor(problem: CodeProblem, author?: string) {
    super(problem);
    this.problem = problem;
    this.author = author;
  }
}

/** Returns the answer for a failure. @throws the failure, if it isn't one of a code host */
export function refusedBy(error: unknown): CodeRefused {
  if (error instanceof CodeRefusal)
    return { done: false, problem: error.problem, ...present({ author: error.author }) };
  if (!(error instanceof HostFailure)) throw error;
  const { problem, retryAfterSeconds } = error;
  return { done: false, problem, ...present({ retry_after_seconds: retryAfterSeconds }) };
}

/** Returns the result of a request, or undefined if the host doesn't have the object. */
export function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  return orWhen(["not_found"], asked, () => undefined);
}

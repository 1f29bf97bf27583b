import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";

/** What a code host didn't do, in a word of the contract: nothing that it said, nothing that it was sent. */
export class HostFailure extends Error {
  override readonly name = "HostFailure";
  readonly problem: CommentProblem;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: CommentProblem, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What `work` gives, or `otherwise` when it fails with one of `problems`. */
export async function orWhen<T, U>(
  problems: readonly CommentProblem[],
  work: Promise<T>,
  otherwise: (failure: HostFailure) => U | Promise<U>,
): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HostFailure) || !problems.includes(error.problem)) throw error;
    return otherwise(error);
  }
}

import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";

/**
 * Failed request to a code host, as a problem of the contract. It contains nothing that was sent to or received from
 * the host.
 */
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

/** Returns the result of `work`, or of `otherwise` if `work` fails with one of `problems`. */
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

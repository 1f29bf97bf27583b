/** Exit codes of planner-hook. Scripts rely on them. Other commands use `EXITS`. */
export const OUTCOMES = {
  accepted: { code: 0, says: "Leeway accepted the plan, now or on an earlier try" },
  internal: { code: 1, says: "a bug in leeway" },
  plan_unreadable: { code: 3, says: "the plan can't be read" },
  plan_too_large: { code: 4, says: "the plan is too large, even without attributes" },
  unauthorized: { code: 5, says: "401: the signature, the secret or the organization is wrong" },
  repository_mismatch: { code: 6, says: "403: the webhook belongs to another repository" },
  not_found: { code: 7, says: "404: the address doesn't exist" },
  body_refused: { code: 8, says: "413: the body is too large for Leeway or a proxy in front of it" },
  refused: { code: 9, says: "any other answer that a retry doesn't change, including redirects" },
  unavailable: { code: 10, says: "Leeway couldn't be reached or was too busy until tries or time ran out" },
  usage: {
    code: 64,
    says: "wrong flags or variables, even with --soft; with --soft a missing secret exits with 0",
  },
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** Reason why a command fails; the message is one line for the user. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** Stack frame of the failure, with function and line. */
const FRAME = /^ *at (?:async )?(?<place>.*)$/m;

/** Converts any error to a failure. Messages of unknown errors may quote input, so only name and location are shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = error instanceof Error ? error.name : typeof error;
  const stack = error instanceof Error ? (error.stack ?? "").replace(error.message, "") : "";
  const place = FRAME.exec(stack)?.groups?.["place"];
  const where = place === undefined ? "" : ` at ${place}`;
  return new Failure("internal", `this is a bug in leeway, please report it: ${name}${where}`, {
    cause: error,
  });
}

/** How a command can end: its exit code, which scripts rely on, and what it says. */
export const OUTCOMES = {
  accepted: { code: 0, says: "Leeway took the plan, now or by an earlier try" },
  internal: { code: 1, says: "a mistake in leeway itself" },
  usage: {
    code: 2,
    says: "wrong flags or variables; --soft doesn't change that, but where the secret is absent",
  },
  plan_unreadable: { code: 3, says: "no plan could be read" },
  plan_too_large: { code: 4, says: "the plan is too large even without any attribute" },
  unauthorized: { code: 5, says: "401: the signature, the secret or the organization is wrong" },
  repository_mismatch: { code: 6, says: "403: the webhook is for another repository" },
  not_found: { code: 7, says: "404: there is no such address" },
  body_refused: { code: 8, says: "413: the body is too large for Leeway or a proxy in front of it" },
  refused: { code: 9, says: "any other answer that another try doesn't change, redirects included" },
  unavailable: { code: 10, says: "Leeway couldn't be reached, or was too busy, until tries or time ran out" },
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** Why a command ends without success; the message is one sentence for whoever runs it. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** What the system calls an error, in brackets, if it has a name for it. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
}

/** What was thrown, as the end of a command. Messages of others' errors may quote what they stumbled over. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = error instanceof Error ? error.name : "unknown";
  return new Failure("internal", `failed by a mistake in leeway (${name})`, { cause: error });
}

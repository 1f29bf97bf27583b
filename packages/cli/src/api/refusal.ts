import { text } from "@leeway/shared/values/json";

import { Failure, type Outcome } from "../failure.ts";
import type { Answer } from "./client.ts";

const LONGEST_MESSAGE = 500;

/** Advice after a rejection, by status. */
const ADVICE: Readonly<Record<number, readonly [Outcome, string]>> = {
  403: ["unauthorized", "check the role of the API key"],
  404: ["not_found", "check --url and --org, and that the API key belongs to that organization"],
  413: ["body_refused", "the body is too large for Leeway or a proxy in front of it"],
};

const REPOSITORY: readonly [Outcome, undefined] = ["unauthorized", undefined];

/**
 * Returns the answer if it is a success.
 * @throws {Failure} that explains why Leeway rejected `what`
 */
export function expectOk(answer: Answer, what: string): Answer {
  if (answer.status < 300) return answer;
  throw refusalOf(answer, what);
}

function refusalOf(answer: Answer, what: string): Failure {
  const request = requestOf(answer);
  if (answer.status === 401) {
    // The server's own message describes the key.
    const advice = "check that it is complete and hasn't been revoked or expired";
    return new Failure("unauthorized", `Leeway rejected the API key (401): ${advice}${request}`);
  }
  const isOfRepository = text(answer.body, "code") === "repository_mismatch"; // its message says what to do
  const [outcome, advice] = isOfRepository ? REPOSITORY : (ADVICE[answer.status] ?? ["refused"]);
  const said = plain(text(answer.body, "message") ?? text(answer.body, "error") ?? "");
  const reasons = [said, advice].filter(Boolean).join("; ");
  const reason = reasons === "" ? "" : `: ${reasons}`;
  return new Failure(outcome, `Leeway rejected ${what} (${answer.status})${reason}${request}`);
}

function requestOf({ headers }: Answer): string {
  const id = /^[\w-]{1,64}$/.exec(headers.get("x-request-id") ?? "");
  return id ? ` (request ${id[0]})` : "";
}

/** Returns the server's text as one line that can't control the terminal. */
export function plain(said: string): string {
  const line = said.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : line;
}

import { text } from "@leeway/shared/json";

import { Failure, type Outcome } from "../failure.ts";
import type { Answer } from "./client.ts";

const LONGEST_MESSAGE = 500;

/** What to check when Leeway refuses, by its status. */
const ADVICE: Readonly<Record<number, readonly [Outcome, string]>> = {
  401: ["unauthorized", "check that the API key is whole, neither revoked nor expired"],
  403: ["unauthorized", "check the role of the API key"],
  404: ["not_found", "check --url and --org, and that the API key is of that organization"],
  413: ["body_refused", "it is too large for Leeway or a proxy in front of it"],
};

/** The same answer, when all went well. @throws {Failure} in Leeway's words about `what` was asked. */
export function expectOk(answer: Answer, what: string): Answer {
  if (answer.status < 300) return answer;
  throw refusalOf(answer, what);
}

/** Why Leeway refused `what` it was asked, as the end of a command. */
function refusalOf({ status, body, headers }: Answer, what: string): Failure {
  const [outcome, advice] = ADVICE[status] ?? ["refused"];
  // What is said of a key's form reads like a key.
  const said = status === 401 ? "" : plain(text(body, "message") ?? text(body, "error") ?? "");
  const request = /^[\w-]{1,64}$/.exec(headers.get("x-request-id") ?? "");
  const parts = [
    `Leeway refuses ${what} (${status})`,
    said && `: ${said}`,
    advice && `${said ? ";" : ":"} ${advice}`,
    request && ` (request ${request[0]})`,
  ];
  return new Failure(outcome, parts.filter(Boolean).join(""));
}

/** Text of the other side as one line for a terminal: nothing in it moves the cursor. */
export function plain(said: string): string {
  const line = said.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : line;
}

import { Kind, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { Failure } from "../failure.ts";

/**
 * Checks an answer against `schema`. Accepts unknown words and members, which a newer Leeway may send.
 * @throws {Failure} `refused`
 */
export function answerAs<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (isAnswer(schema, value)) return value;
  throw new Failure("refused", "this leeway can't read the server's answer: compare their versions");
}

function isAnswer<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  for (const error of Value.Errors(schema, value)) {
    if (error.schema[Kind] !== "Words" || typeof error.value !== "string") return false;
  }
  return true;
}

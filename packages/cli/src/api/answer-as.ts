import { Kind, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { Failure } from "../failure.ts";

/**
 * What Leeway said, as `schema` describes it. Words and members that a newer Leeway knows pass.
 * @throws {Failure} `refused`
 */
export function answerAs<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (isAnswer(schema, value)) return value;
  throw new Failure("refused", "Leeway's answer can't be read: compare the versions of both");
}

function isAnswer<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  for (const error of Value.Errors(schema, value)) {
    if (error.schema[Kind] !== "Words" || typeof error.value !== "string") return false;
  }
  return true;
}

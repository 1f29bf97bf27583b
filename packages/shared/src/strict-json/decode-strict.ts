import type { Static, TSchema } from "@sinclair/typebox";

import { decode } from "../decode.ts";
import { AppError } from "../errors.ts";
import type { ParsedJson } from "./json-text.ts";
import { firstUnknownField } from "./unknown-field.ts";

/**
 * What a body says, as `schema` describes it.
 * @throws {AppError} `invalid_body` that names the first unknown member, as Go's strict decoder does; else
 * `invalid_parameter`
 */
export function decodeStrict<S extends TSchema>(schema: S, { value, bytes }: ParsedJson): Static<S> {
  // Of duplicates the value holds the last only, but the text all.
  const unknown = firstUnknownField(schema, bytes);
  if (unknown === undefined) return decode(schema, value);
  throw new AppError("invalid_body", `invalid request body: json: unknown field ${JSON.stringify(unknown)}`);
}

import type { Static, TSchema } from "@sinclair/typebox";

import { decode } from "../decode.ts";
import { AppError } from "../errors.ts";
import type { ParsedJson } from "./json-text.ts";
import { firstUnknownField } from "./unknown-field.ts";

/**
 * Returns the value of a body that fits `schema`.
 * @throws {AppError} `invalid_body` with the first unknown member, like Go's strict decoder; otherwise
 * `invalid_parameter`
 */
export function decodeStrict<S extends TSchema>(schema: S, { value, bytes }: ParsedJson): Static<S> {
  // The value has only the last of duplicate members, but the text has all of them.
  const unknown = firstUnknownField(schema, bytes);
  if (unknown === undefined) return decode(schema, value);
  throw new AppError("invalid_body", `invalid request body: json: unknown field ${JSON.stringify(unknown)}`);
}

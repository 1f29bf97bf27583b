import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import { ValueErrorType, type ValueError } from "@sinclair/typebox/errors";

import { AppError, type ErrorDetail } from "./errors.ts";

const MOST_DETAILS = 20;
const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

/**
 * `value` as `schema` describes it, unchanged.
 * @throws {AppError} `invalid_parameter` with one detail for each field that is wrong.
 */
export function decode<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const check = compile(schema);
  if (check.Check(value)) return value;
  const details = describe(check, value);
  const [first] = details;
  throw new AppError("invalid_parameter", first ? `${first.field} ${first.message}` : "the input is wrong", {
    details,
  });
}

/** Members of `value`, as paths of member names, that `schema` doesn't know. */
export function unknownMembers(schema: TSchema, value: unknown): string[][] {
  const errors = [...compile(schema).Errors(value)];
  return errors
    .filter(({ type }) => type === ValueErrorType.ObjectAdditionalProperties)
    .map(({ path }) => steps(path));
}

function compile<S extends TSchema>(schema: S): TypeCheck<S> {
  const known = compiled.get(schema);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was compiled from this very schema
  if (known) return known as TypeCheck<S>;
  const check = TypeCompiler.Compile(schema);
  compiled.set(schema, check);
  return check;
}

/** The wrong fields, one message each: the first that TypeBox finds for a field says it best. */
function describe(check: TypeCheck<TSchema>, value: unknown): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of check.Errors(value)) {
    const field = steps(error.path).join(".") || "body";
    if (!details.has(field)) details.set(field, { field, code: codeOf(error), message: messageOf(error) });
    if (details.size >= MOST_DETAILS) break;
  }
  return [...details.values()];
}

function codeOf({ type }: ValueError): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return "required";
  return type === ValueErrorType.ObjectAdditionalProperties ? "unknown" : "invalid";
}

function messageOf(error: ValueError): string {
  if (error.type === ValueErrorType.ObjectRequiredProperty) return "is required";
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return "is unknown";
  const description: unknown = error.schema["errorMessage"];
  if (typeof description === "string") return description;
  return `is wrong: ${lowerFirst(error.message)}`;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** The member names of a JSON pointer. */
function steps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

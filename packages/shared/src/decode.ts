import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import { ValueErrorType, type ValueError } from "@sinclair/typebox/errors";

import { AppError, type ErrorDetail } from "./errors.ts";
import { wrongField } from "./wrong-field.ts";

const MOST_DETAILS = 20;
const LONGEST_FIELD = 200;
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
  for (const error of fieldErrors(check.Errors(value))) {
    const field = steps(error.path).join(".").slice(0, LONGEST_FIELD) || "body";
    if (!details.has(field)) details.set(field, { field, code: codeOf(error), message: wrongField(error) });
    if (details.size >= MOST_DETAILS) break;
  }
  return [...details.values()];
}

/** Errors of fields: that a union fits nowhere says less than what is wrong with the variant that was meant. */
function* fieldErrors(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const meant = error.type === ValueErrorType.Union ? meantVariant(error) : undefined;
    if (meant) yield* fieldErrors(meant);
    else yield error;
  }
}

/** The errors of the one variant of a union whose literals fit, or that none of the literals fits; null isn't meant. */
function meantVariant({ errors }: ValueError): ValueError[] | undefined {
  const variants = errors
    .map((variant) => [...variant].slice(0, MOST_DETAILS))
    .filter(([first]) => first?.type !== ValueErrorType.Null);
  const literals = variants.map((variant) => variant.find(({ type }) => type === ValueErrorType.Literal));
  const meant = variants.filter((_, index) => literals[index] === undefined);
  if (meant.length === 1) return meant[0];
  const [first] = literals;
  if (!first || !literals.every((literal) => literal?.path === first.path)) return undefined;
  const words = literals.map((literal) => String(literal?.schema["const"]));
  return [{ ...first, schema: { ...first.schema, errorMessage: `must be one of ${words.join(", ")}` } }];
}

function codeOf({ type }: ValueError): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return "required";
  return type === ValueErrorType.ObjectAdditionalProperties ? "unknown" : "invalid";
}

/** The member names of a JSON pointer. */
function steps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

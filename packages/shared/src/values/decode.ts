import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import { ValueErrorType, type ValueError } from "@sinclair/typebox/errors";

import { AppError, type ErrorDetail } from "./errors.ts";
import { wrongField } from "./wrong-field.ts";

const MAX_DETAILS = 20;
const LONGEST_FIELD = 200;
const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

/**
 * Returns `value` unchanged, as the type of `schema`.
 * @throws {AppError} `invalid_parameter` with one detail for each wrong field
 */
export function decode<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const check = compile(schema);
  if (check.Check(value)) return value;
  const details = describe(check, value);
  const [first] = details;
  throw new AppError(
    "invalid_parameter",
    first ? `${first.field} ${first.message}` : "the input is invalid",
    {
      details,
    },
  );
}

function compile<S extends TSchema>(schema: S): TypeCheck<S> {
  const known = compiled.get(schema);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was compiled from this very schema
  if (known) return known as TypeCheck<S>;
  const check = TypeCompiler.Compile(schema);
  compiled.set(schema, check);
  return check;
}

/**
 * Returns the wrong fields with one message each. The first error that TypeBox finds for a field is the most useful.
 */
function describe(check: TypeCheck<TSchema>, value: unknown): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of fieldErrors(check.Errors(value))) {
    const field = steps(error.path).join(".").slice(0, LONGEST_FIELD) || "body";
    if (!details.has(field)) details.set(field, { field, code: codeOf(error), message: wrongField(error) });
    if (details.size >= MAX_DETAILS) break;
  }
  return [...details.values()];
}

/** Yields the errors of fields. If a union has one intended variant, its errors are more useful than the union's. */
function* fieldErrors(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const meant = error.type === ValueErrorType.Union ? meantVariant(error) : undefined;
    if (meant) yield* fieldErrors(meant);
    else yield error;
  }
}

/**
 * Returns the errors of the only variant of a union whose literals fit, or one error if no literal fits. Null
 * variants are ignored.
 */
function meantVariant({ errors }: ValueError): ValueError[] | undefined {
  const variants = errors
    .map((variant) => [...variant].slice(0, MAX_DETAILS))
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

/** Returns the member names of a JSON pointer. */
function steps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

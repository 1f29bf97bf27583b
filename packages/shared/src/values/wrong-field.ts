import type { TSchema } from "@sinclair/typebox";
import { ValueErrorType, type ValueError } from "@sinclair/typebox/errors";

type Words = string | ((schema: TSchema) => string);

const WHOLE = "must be a whole number";

const OF_MEMBERS: Partial<Record<ValueErrorType, Words>> = {
  [ValueErrorType.ObjectRequiredProperty]: "is required",
  [ValueErrorType.ObjectAdditionalProperties]: "isn't a known field",
};

/** Messages by the kinds of errors that JSON values can have. */
const OF_VALUES: Partial<Record<ValueErrorType, Words>> = {
  [ValueErrorType.Object]: "must be an object",
  [ValueErrorType.ObjectMinProperties]: ({ minProperties }) =>
    `must have at least ${many(minProperties, "field")}`,
  [ValueErrorType.ObjectMaxProperties]: ({ maxProperties }) =>
    `must have at most ${many(maxProperties, "field")}`,
  [ValueErrorType.Array]: "must be an array",
  [ValueErrorType.ArrayMinItems]: ({ minItems }) => `must have at least ${many(minItems, "item")}`,
  [ValueErrorType.ArrayMaxItems]: ({ maxItems }) => `must have at most ${many(maxItems, "item")}`,
  [ValueErrorType.ArrayUniqueItems]: "must not contain duplicates",
  [ValueErrorType.String]: "must be a string",
  [ValueErrorType.StringMinLength]: ({ minLength }) =>
    minLength === 1 ? "must not be empty" : `must have at least ${many(minLength, "character")}`,
  [ValueErrorType.StringMaxLength]: ({ maxLength }) => `must have at most ${many(maxLength, "character")}`,
  [ValueErrorType.Integer]: WHOLE,
  [ValueErrorType.IntegerMinimum]: ({ minimum }) => `${WHOLE} of at least ${minimum}`,
  [ValueErrorType.IntegerMaximum]: ({ maximum }) => `${WHOLE} of at most ${maximum}`,
  [ValueErrorType.Number]: "must be a number",
  [ValueErrorType.NumberMinimum]: ({ minimum }) => `must be a number of at least ${minimum}`,
  [ValueErrorType.NumberMaximum]: ({ maximum }) => `must be a number of at most ${maximum}`,
  [ValueErrorType.Boolean]: "must be true or false",
  [ValueErrorType.Null]: "must be null",
  [ValueErrorType.Literal]: (schema) => `must be ${schema["const"]}`,
};

/** Describes a field's error, to follow its name. A type may have its own words for the errors of its values. */
export function wrongField({ type, schema }: ValueError): string {
  const words: Words =
    OF_MEMBERS[type] ?? schema["errorMessage"] ?? OF_VALUES[type] ?? "has an invalid format";
  return typeof words === "string" ? words : words(schema);
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

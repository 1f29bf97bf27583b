import { takesSeveral } from "@leeway/shared/contracts/several";
import { decode } from "@leeway/shared/values/decode";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { nearest } from "@leeway/shared/values/nearest";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Type as t } from "@sinclair/typebox";

import { refuseText } from "@leeway/shared/values/strict-json/json-text";

const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;
/** Alias of `limit`. */
const PAGE_SIZE = "page_size";
/** Maximum length of an unknown name that an error repeats. */
const LONGEST_NAME = 100;
const WHOLE_NUMBER = /^-?\d+$/;
const WRONG_LIMIT = "must be a whole number of at least 1";

/** Length of a page. Larger values are reduced to the maximum. */
const Limit = t.Integer({
  minimum: 1,
  default: DEFAULT_LIMIT,
  description: `Page size. Values above ${MAX_LIMIT} count as ${MAX_LIMIT}. \`page_size\` is an alias.`,
  errorMessage: WRONG_LIMIT,
});

/** Parameters of every list. */
export const ListQuery = {
  limit: Limit,
  cursor: t.Optional(t.String({ description: "`next_cursor` of the previous page" })),
};

/** Returns the text after the first `?` of a URL. */
export function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** Returns the path of a URL as it was sent, including percent-encoding. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end === -1 ? undefined : end);
}

/**
 * Rejects unknown and repeated query parameters. Otherwise a misspelled filter would silently be ignored.
 * @throws {AppError} `invalid_parameter`
 */
export function refuseUnknown(schema: TObject, search: string): void {
  if (search === "") return;
  const names = Object.keys(schema.properties);
  const known = "limit" in schema.properties ? [...names, PAGE_SIZE] : names;
  const seen = new Set<string>();
  for (const name of new URLSearchParams(search).keys()) {
    if (!known.includes(name)) throw unknownParameter(name.slice(0, LONGEST_NAME), known);
    if (seen.has(name) && !mayRepeat(schema, name))
      throw invalidParameter(name, "was given more than once", "repeated");
    seen.add(name);
  }
}

function mayRepeat({ properties }: TObject, name: string): boolean {
  const property = properties[name];
  return property !== undefined && takesSeveral(property);
}

function unknownParameter(name: string, known: readonly string[]): AppError {
  const near = nearest(name, known);
  const others =
    known.length === 0 ? "this operation has no query parameters" : `known parameters: ${known.join(", ")}`;
  const advice = near === undefined ? others : `did you mean ${near}?`;
  const details = [{ field: name, code: "unknown", message: `is unknown; ${advice}` }];
  return new AppError("invalid_parameter", `unknown query parameter ${name}; ${advice}`, { details });
}

/**
 * Decodes the query of a URL according to `schema`.
 * @throws {AppError} `invalid_parameter`
 */
export function readQuery<S extends TObject>(schema: S, search: string): Static<S> {
  const given = new URLSearchParams(search);
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value: unknown = takesSeveral(property) ? severalIn(given, name) : valueIn(given, name, property);
    if (value !== undefined) values[name] = name === "limit" ? clamped(value) : value;
  }
  return decode(schema, values);
}

function valueIn(given: URLSearchParams, name: string, property: TSchema): unknown {
  const raw = given.get(name) ?? (name === "limit" ? pageSize(given) : null);
  const value: unknown = raw === null ? property["default"] : fromText(property["type"], raw);
  if (typeof value === "string") refuseText(name, value);
  return value;
}

function severalIn(given: URLSearchParams, name: string): string | string[] | undefined {
  const values = given.getAll(name);
  for (const value of values) refuseText(name, value);
  return values.length > 1 ? values : values[0];
}

/**
 * Reads the alias of `limit`. Errors name the alias.
 * @throws {AppError} `invalid_parameter`
 */
function pageSize(given: URLSearchParams): string | null {
  const raw = given.get(PAGE_SIZE);
  if (raw !== null && !(WHOLE_NUMBER.test(raw) && Number(raw) >= 1)) {
    throw invalidParameter(PAGE_SIZE, WRONG_LIMIT);
  }
  return raw;
}

/** Converts `raw` to `type`, or returns it unchanged if it isn't valid. */
function fromText(type: unknown, raw: string): unknown {
  if (type === "integer" && WHOLE_NUMBER.test(raw)) return Number(raw);
  if (type === "boolean" && (raw === "true" || raw === "false")) return raw === "true";
  return raw;
}

function clamped(limit: unknown): unknown {
  return typeof limit === "number" ? Math.min(limit, MAX_LIMIT) : limit;
}

/** Returns the named steps of a path such as `/orgs/:id`, with their positions. */
export function placeholders(path: string): [name: string, index: number][] {
  return path
    .split("/")
    .flatMap((step, index): [string, number][] => (step.startsWith(":") ? [[step.slice(1), index]] : []));
}

/**
 * Decodes a step of a path.
 * @throws {AppError} `invalid_parameter`
 */
export function readStep(name: string, raw: string): string {
  try {
    const step = decodeURIComponent(raw);
    refuseText(name, step);
    return step;
  } catch (error) {
    if (error instanceof URIError) throw invalidParameter(name, "must be percent-encoded UTF-8");
    throw error;
  }
}

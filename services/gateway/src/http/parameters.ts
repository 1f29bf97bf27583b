import { decode } from "@leeway/shared/decode";
import { invalidParameter } from "@leeway/shared/errors";
import type { Static, TObject } from "@sinclair/typebox";
import { Type as t } from "@sinclair/typebox";

import { refuseText } from "@leeway/shared/strict-json/json-text";

const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 500;
const WHOLE_NUMBER = /^-?\d+$/;
const WRONG_LIMIT = "must be a whole number of at least 1";

/** Length of a page: more than the most is the most. */
const Limit = t.Integer({
  minimum: 1,
  default: DEFAULT_LIMIT,
  description: `Length of the page; more than ${MOST_LIMIT} means ${MOST_LIMIT}. \`page_size\` is the same.`,
  errorMessage: WRONG_LIMIT,
});

/** The parameters that every list takes. */
export const ListQuery = {
  limit: Limit,
  cursor: t.Optional(
    t.String({ description: "Where the page begins: the `next_cursor` of the page before" }),
  ),
};

/** What stands after the first `?` of a URL. */
export function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** The path of a URL as it was sent, percent-encoding included. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end === -1 ? undefined : end);
}

/**
 * The query of a URL as `schema` describes it; parameters that it doesn't name are ignored.
 * @throws {AppError} `invalid_parameter`
 */
export function readQuery<S extends TObject>(schema: S, search: string): Static<S> {
  const given = new URLSearchParams(search);
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const raw = given.get(name) ?? (name === "limit" ? pageSize(given) : null);
    const value: unknown = raw === null ? property["default"] : fromText(property["type"], raw);
    if (typeof value === "string") refuseText(name, value);
    if (value !== undefined) values[name] = name === "limit" ? clamped(value) : value;
  }
  return decode(schema, values);
}

/** The other name of `limit`, by which it is refused, too. @throws {AppError} `invalid_parameter` */
function pageSize(given: URLSearchParams): string | null {
  const raw = given.get("page_size");
  if (raw !== null && !(WHOLE_NUMBER.test(raw) && Number(raw) >= 1)) {
    throw invalidParameter("page_size", WRONG_LIMIT);
  }
  return raw;
}

/** What `raw` means where `type` is wanted; left as it is when it means nothing there. */
function fromText(type: unknown, raw: string): unknown {
  if (type === "integer" && WHOLE_NUMBER.test(raw)) return Number(raw);
  if (type === "boolean" && (raw === "true" || raw === "false")) return raw === "true";
  return raw;
}

function clamped(limit: unknown): unknown {
  return typeof limit === "number" ? Math.min(limit, MOST_LIMIT) : limit;
}

/** The named steps of a path such as `/orgs/:id`, and where they stand. */
export function placeholders(path: string): [name: string, index: number][] {
  return path
    .split("/")
    .flatMap((step, index): [string, number][] => (step.startsWith(":") ? [[step.slice(1), index]] : []));
}

/**
 * The step `raw` of a path, decoded.
 * @throws {AppError} `invalid_parameter`
 */
export function readStep(name: string, raw: string): string {
  try {
    const step = decodeURIComponent(raw);
    refuseText(name, step);
    return step;
  } catch (error) {
    if (error instanceof URIError) throw invalidParameter(name, "isn't percent-encoded UTF-8");
    throw error;
  }
}

import {
  FormatRegistry,
  Kind,
  Type,
  TypeRegistry,
  type Static,
  type TObject,
  type TSchema,
  type TUnsafe,
} from "@sinclair/typebox";

import { sealedFields, type FieldPath } from "./sealed.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Email address without control, direction and invisible characters, which can make it look like another. */
const EMAIL = /^[^\s@"<>\p{C}]{1,64}@[^\s@"<>\p{C}]{1,190}$/u;

// TypeBox rejects all values of an unregistered format.
FormatRegistry.Set("uuid", isUuid);
FormatRegistry.Set("date-time", isDateTime);
FormatRegistry.Set("email", (value) => EMAIL.test(value));

TypeRegistry.Set<{ enum: readonly string[] }>(
  "Words",
  (schema, value) => typeof value === "string" && schema.enum.includes(value),
);

/** Returns a schema for a closed set of words. */
export function words<const W extends string>(list: readonly W[]): TUnsafe<W> {
  const errorMessage = `must be one of ${list.join(", ")}`;
  return Type.Unsafe<W>({ [Kind]: "Words", type: "string", enum: list, errorMessage });
}

/** Returns whether `value` is a UUID, of any version. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/**
 * Returns whether `value` is an RFC 3339 instant of an existing day. Its year in UTC must be 1 to 9999: PostgreSQL
 * has no year 0, and there is no common format for a fifth digit.
 */
function isDateTime(value: string): boolean {
  const [, day] = DATE_TIME.exec(value) ?? [];
  const year = new Date(value).getUTCFullYear(); // NaN for an invalid date
  if (day === undefined || !(year >= 1 && year <= 9_999)) return false;
  return new Date(day).toISOString().startsWith(day); // February 30 would become March 2
}

/** A request that one service answers. Both ends import this constant. */
export interface RequestContract<I extends TSchema = TSchema, O extends TSchema = TSchema> {
  /** `<owner>.<plural noun>.<verb>` */
  subject: string;
  input: I;
  output: O;
  /** The services that may send the request. */
  callers: readonly string[];
  /** Time after which the caller gives up and the work is canceled. */
  timeoutMs: number;
  /** Whether a read replica may answer. The handler then only reads, by single statements. */
  fromReplica: boolean;
  /** The fields that travel encrypted. */
  sealed: { input: readonly FieldPath[]; output: readonly FieldPath[] };
}

/** A request with bytes after its input, sent unchanged. */
export interface BodyContract<
  I extends TSchema = TSchema,
  O extends TSchema = TSchema,
> extends RequestContract<I, O> {
  body: true;
}

/** A fact that is published once and processed by its subscriber. */
export interface EventContract<P extends TSchema = TSchema> {
  /** `<owner>.<noun>.<past participle>` */
  subject: string;
  stream: string;
  payload: P;
}

/** A text for every listening instance of its owner. It may be lost. */
export interface BroadcastContract {
  /** `<owner>.<noun>.<past participle>` */
  subject: string;
  broadcast: true;
}

export type Input<C extends RequestContract> = Static<C["input"]>;
export type Output<C extends RequestContract> = Static<C["output"]>;

interface DeclaredRequest<I, O> {
  input: I;
  output: O;
  /** 2.5 s by default. */
  timeoutMs?: number;
  /** False by default. */
  fromReplica?: boolean;
  /** The gateway by default. */
  callers?: readonly string[];
}

/** Declares a request. Objects in its input reject unknown members; answers may have more members later. */
export function defineRequest<I extends TObject, O extends TSchema>(
  subject: string,
  { input, output, timeoutMs = 2_500, fromReplica = false, callers = ["gateway"] }: DeclaredRequest<I, O>,
): RequestContract<I, O> {
  const fields = { input: sealedFields(input), output: sealedFields(output) };
  return { subject, input: strict(input), output, timeoutMs, fromReplica, callers, sealed: fields };
}

/** Declares a request with bytes after its input. */
export function defineBodyRequest<I extends TObject, O extends TSchema>(
  subject: string,
  declared: DeclaredRequest<I, O>,
): BodyContract<I, O> {
  return { ...defineRequest(subject, declared), body: true };
}

/**
 * Declares an event, and the stream that keeps it until it is processed.
 * @throws {Error} for a sealed field, because only requests are sealed
 */
export function defineEvent<P extends TObject>(
  subject: string,
  { stream, payload }: { stream: string; payload: P },
): EventContract<P> {
  if (sealedFields(payload).length > 0) throw new Error(`${subject}: an event can't have a sealed field`);
  return { subject, stream, payload: strict(payload) };
}

/** Declares a broadcast. */
export function defineBroadcast(subject: string): BroadcastContract {
  return { subject, broadcast: true };
}

/**
 * Returns the schema with `additionalProperties: false` on every object that doesn't set it, at any depth.
 * @throws {Error} for an intersection, whose parts would reject each other's members: compose them instead
 */
export function strict<S extends TSchema>(schema: S): S {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `additionalProperties` is added
  return close(schema) as S;
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== "object" || value === null) return value;
  const closed: Record<string | symbol, unknown> = {};
  for (const key of Reflect.ownKeys(value)) closed[key] = close(Reflect.get(value, key));
  if (closed[Kind] === "Intersect")
    throw new Error("use Type.Composite: Type.Intersect can't reject unknown members");
  if (closed[Kind] === "Object" && !("additionalProperties" in closed))
    closed["additionalProperties"] = false;
  return closed;
}

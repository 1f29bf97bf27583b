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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Without controls, marks of direction and what can't be seen, by which an address would show as another. */
const EMAIL = /^[^\s@"<>\p{C}]{1,64}@[^\s@"<>\p{C}]{1,190}$/u;

// TypeBox refuses every value of a format that nobody registered.
FormatRegistry.Set("uuid", isUuid);
FormatRegistry.Set("date-time", isDateTime);
FormatRegistry.Set("email", (value) => EMAIL.test(value));

TypeRegistry.Set<{ enum: readonly string[] }>(
  "Words",
  (schema, value) => typeof value === "string" && schema.enum.includes(value),
);

/** A closed set of words. */
export function words<const W extends string>(list: readonly W[]): TUnsafe<W> {
  const errorMessage = `must be one of ${list.join(", ")}`;
  return Type.Unsafe<W>({ [Kind]: "Words", type: "string", enum: list, errorMessage });
}

/** Whether `value` is written as a UUID, of whatever version. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/**
 * Whether `value` is an instant as RFC 3339 writes it, of a day that exists. In UTC too it is of the years 1
 * to 9999: PostgreSQL knows no year 0, and a fifth digit is written otherwise everywhere.
 */
function isDateTime(value: string): boolean {
  const [, day] = DATE_TIME.exec(value) ?? [];
  const year = new Date(value).getUTCFullYear(); // NaN for what is no date
  if (day === undefined || !(year >= 1 && year <= 9_999)) return false;
  return new Date(day).toISOString().startsWith(day); // the 30th of February would be the 2nd of March
}

/** A question that one service answers: both ends import this constant. */
export interface RequestContract<I extends TSchema = TSchema, O extends TSchema = TSchema> {
  /** `<owner>.<plural noun>.<verb>` */
  subject: string;
  input: I;
  output: O;
  /** How long the caller waits before it gives up and the work is called off. */
  timeoutMs: number;
}

/** A question that brings bytes along, as they came, behind its input. */
export interface BodyContract<
  I extends TSchema = TSchema,
  O extends TSchema = TSchema,
> extends RequestContract<I, O> {
  body: true;
}

/** A fact that is published once and worked off by whoever subscribes. */
export interface EventContract<P extends TSchema = TSchema> {
  /** `<owner>.<noun>.<past participle>` */
  subject: string;
  stream: string;
  payload: P;
}

/** What every listening instance of its owner hears, if it isn't lost: a text. */
export interface BroadcastContract {
  /** `<owner>.<noun>.<past participle>` */
  subject: string;
  broadcast: true;
}

export type Input<C extends RequestContract> = Static<C["input"]>;
export type Output<C extends RequestContract> = Static<C["output"]>;

/** Declares a request. Every object of its input refuses members that it doesn't name; answers may grow. */
export function defineRequest<I extends TObject, O extends TSchema>(
  subject: string,
  { input, output, timeoutMs = 2_500 }: { input: I; output: O; timeoutMs?: number },
): RequestContract<I, O> {
  return { subject, input: strict(input), output, timeoutMs };
}

/** Declares a request that brings bytes along. */
export function defineBodyRequest<I extends TObject, O extends TSchema>(
  subject: string,
  declared: { input: I; output: O; timeoutMs?: number },
): BodyContract<I, O> {
  return { ...defineRequest(subject, declared), body: true };
}

/** Declares an event and the stream that keeps it until it is worked off. */
export function defineEvent<P extends TObject>(
  subject: string,
  { stream, payload }: { stream: string; payload: P },
): EventContract<P> {
  return { subject, stream, payload: strict(payload) };
}

/** Declares a broadcast. */
export function defineBroadcast(subject: string): BroadcastContract {
  return { subject, broadcast: true };
}

/**
 * The same schema with `additionalProperties: false` on every object that says nothing of it, at any depth.
 * @throws {Error} for an intersection, whose parts would refuse each other's members: compose them instead
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
  if (closed[Kind] === "Intersect") throw new Error("an intersection can't be closed: use Type.Composite");
  if (closed[Kind] === "Object" && !("additionalProperties" in closed))
    closed["additionalProperties"] = false;
  return closed;
}

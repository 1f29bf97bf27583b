import { invalidParameter } from "@leeway/shared/values/errors";
import { Type as t, type TObject, type TSchema } from "@sinclair/typebox";

/** Names of accounts and sources in requests, with their names in answers. Requests accept both. */
const PAIRS = [
  ["account_id", "cloud_account_id"],
  ["source_id", "iac_source_id"],
] as const;

/** Names by alias. */
export type Aliases = ReadonlyMap<string, string>;

/** Returns the aliases for an object of this schema: in each pair, the name that the schema lacks. */
export function aliasesOf(schema: TSchema | undefined): Aliases {
  const fields: unknown = schema?.["properties"];
  const has = (name: string): boolean => typeof fields === "object" && fields !== null && name in fields;
  const found = PAIRS.flatMap(([short, long]): [string, string][] => {
    if (has(short) === has(long)) return [];
    return has(short) ? [[long, short]] : [[short, long]];
  });
  return new Map(found);
}

/**
 * Adds aliases to a schema. A required member becomes optional, because either name may be given. The code that uses
 * it checks that it is present.
 */
export function withAliases<S extends TSchema>(schema: S, aliases: Aliases): S {
  if (aliases.size === 0) return schema;
  const { properties, required: _required, ...options } = schema;
  const fields: Record<string, TSchema> = { ...properties };
  for (const [alias, name] of aliases) {
    const field = t.Optional(fields[name] ?? t.Unknown());
    fields[name] = field;
    fields[alias] = t.Optional({ ...field, description: `Alias of \`${name}\`` });
  }
  const made: TObject = t.Object(fields, options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read by it loses the other names again
  return made as unknown as S;
}

type Named = Record<string, unknown>;

/**
 * Renames aliases in a value to the names they stand for.
 * @throws {AppError} `invalid_parameter` if both are given and differ
 */
export function withoutAliases(value: Named, aliases: Aliases): Named {
  const given = [...aliases].filter(([alias]) => alias in value);
  if (given.length === 0) return value;
  const named = { ...value };
  for (const [alias, name] of given) {
    const said = named[alias];
    if (name in named && !isSame(named[name], said)) {
      throw invalidParameter(alias, `must equal ${name} or be left out`);
    }
    if (!(name in named)) named[name] = said;
    Reflect.deleteProperty(named, alias);
  }
  return named;
}

/** Compares values. Ids are equal regardless of case. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((ids) => JSON.stringify(ids).toLowerCase());
  return a === b;
}

import type { Sql } from "postgres";

/** PostgreSQL's array types by element type. These numbers never change (pg_type.dat). */
const ARRAY_OF: Readonly<Record<number, number>> = {
  16: 1000, // boolean
  17: 1001, // bytea
  20: 1016, // bigint
  21: 1005, // smallint
  23: 1007, // integer
  25: 1009, // text
  114: 199, // json
  700: 1021, // real
  701: 1022, // double precision
  1043: 1015, // varchar
  1082: 1182, // date
  1114: 1115, // timestamp
  1184: 1185, // timestamptz
  1700: 1231, // numeric
  2950: 2951, // uuid
  3802: 3807, // jsonb
};

type Convert = (value: unknown) => unknown;

/**
 * Registers PostgreSQL's built-in array types with the driver. Otherwise it would query them on each new connection,
 * and the connection's first statement couldn't use them.
 */
export function registerArrays({ options }: Sql): void {
  const { parsers, serializers } = options;
  for (const [element, array] of Object.entries(ARRAY_OF)) {
    const write: Convert = serializers[Number(element)] ?? String;
    const read: Convert = parsers[Number(element)] ?? String;
    serializers[array] = (value: unknown) => (Array.isArray(value) ? writeArray(value, write) : value);
    parsers[array] = (text: string) => readArray(text, read);
  }
  const shared: unknown = Reflect.get(options, "shared");
  if (typeof shared === "object" && shared !== null) Reflect.set(shared, "typeArrayMap", ARRAY_OF);
}

/**
 * Writes an array in PostgreSQL's syntax, `{"a",NULL}`. Every element is quoted, so that none is read as NULL or
 * syntax.
 */
export function writeArray(items: readonly unknown[], write: Convert): string {
  const written = items.map((item) => {
    if (item === null) return "NULL";
    if (Array.isArray(item)) return writeArray(item, write);
    return `"${String(write(item)).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${written.join(",")}}`;
}

const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"|([{}])|([^,{}"]+)/gs;

/** Parses the output of {@link writeArray} and of PostgreSQL. */
export function readArray(text: string, read: Convert): unknown[] {
  const outermost: unknown[] = [];
  const open = [outermost];
  // Lower bounds other than 1 come first: [0:1]={a,b}
  const start = text.indexOf("{") + 1;
  for (const [, quoted, brace, bare] of text.slice(start, -1).matchAll(TOKEN)) {
    if (brace === "}") open.pop();
    else if (brace === "{") open.push(nest(open.at(-1)));
    else open.at(-1)?.push(bare === "NULL" ? null : read(bare ?? quoted?.replaceAll(/\\(.)/gs, "$1")));
  }
  return outermost;
}

function nest(array: unknown[] | undefined): unknown[] {
  const inner: unknown[] = [];
  array?.push(inner);
  return inner;
}

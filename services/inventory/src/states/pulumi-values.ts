import { isObject, type Json } from "@leeway/shared/json";

type Path = (string | number)[];

/** Marks an object that stands for a secret, encrypted or shown, an asset, an archive or another resource. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Which of an object's members the provider has filled in: no member itself. */
const DEFAULTED = "__defaults";

/** Outputs with null for what only stands for a value, and the paths at which that was. */
export function withoutSecrets(output: Json): { value: Json; hidden: Path[] } {
  const hidden: Path[] = [];
  return { value: cleaned(output, [], hidden), hidden };
}

function cleaned(value: Json, path: Path, hidden: Path[]): Json {
  if (holdsSignature(value)) {
    hidden.push(path);
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => cleaned(item, [...path, index], hidden));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== DEFAULTED)
      .map(([name, inner]) => [name, cleaned(inner, [...path, name], hidden)]),
  );
}

/** What is nested in a text of JSON is signed within that text. */
function holdsSignature(value: Json): boolean {
  return typeof value === "string"
    ? value.includes(SIGNATURE)
    : isObject(value) && Object.hasOwn(value, SIGNATURE);
}

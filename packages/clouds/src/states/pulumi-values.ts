import { isObject, type Json } from "@leeway/shared/values/json";

type Path = (string | number)[];

/** Key of objects that represent a secret (encrypted or plain), an asset, an archive or another resource. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Key that lists members filled in by the provider; it isn't a member itself. */
const DEFAULTED = "__defaults";

/** Returns outputs with null for secrets and other placeholders, and their paths. */
export function withoutSecrets(output: Json): { value: Json; hidden: Path[] } {
  const hidden: Path[] = [];
  return { value: cleaned(output, [], hidden), hidden };
}

/** @param path the steps to `value`; reused between calls, and copied for hidden values */
function cleaned(value: Json, path: Path, hidden: Path[]): Json {
  if (holdsSignature(value)) {
    hidden.push([...path]);
    return null;
  }
  const below = (step: string | number, inner: Json): Json => {
    path.push(step);
    const result = cleaned(inner, path, hidden);
    path.pop();
    return result;
  };
  if (Array.isArray(value)) return value.map((item, index) => below(index, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== DEFAULTED)
      .map(([name, inner]) => [name, below(name, inner)]),
  );
}

/** Reports whether a value has a signature. Inside JSON text, nested values carry theirs in the text. */
function holdsSignature(value: Json): boolean {
  return typeof value === "string"
    ? value.includes(SIGNATURE)
    : isObject(value) && Object.hasOwn(value, SIGNATURE);
}

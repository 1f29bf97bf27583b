import { isObject, type JsonObject } from "@leeway/shared/json";
import { redact, REDACTED, type Redaction } from "@leeway/shared/redaction/redact";

import type { Cloud, ListedResource } from "../clouds/cloud.ts";

type Typed = Pick<ListedResource, "provider_type" | "terraform_type">;

/** Where a resource that is a secret may have what it holds, under a name that doesn't say so. */
const PLACES = [["Value"], ["value"], ["properties", "value"]] as const;

/** Takes the secrets of a resource away; of one that is a secret, such as an API key or a parameter, what it holds too. */
export function redactProperties(
  properties: JsonObject,
  { provider_type, terraform_type }: Typed,
  { catalog }: Cloud,
): Redaction<JsonObject> {
  const { value, redactions } = redact(properties);
  const declared = terraform_type === undefined ? undefined : catalog.byTerraform(terraform_type);
  if ((declared ?? catalog.byType(provider_type))?.normalized !== "secret") return { value, redactions };
  return PLACES.reduce<Redaction<JsonObject>>((left, place) => withoutValue(left, place), {
    value,
    redactions,
  });
}

function withoutValue(
  { value, redactions }: Redaction<JsonObject>,
  place: readonly string[],
): Redaction<JsonObject> {
  const hidden = hiddenAt(value, place);
  return hidden === undefined
    ? { value, redactions }
    : { value: hidden, redactions: [...redactions, `/${place.join("/")}`] };
}

/** With what is there hidden; undefined where nothing is, or that is done. */
function hiddenAt(object: JsonObject, [step = "", ...rest]: readonly string[]): JsonObject | undefined {
  const inner = object[step] ?? "";
  if (inner === "" || inner === REDACTED) return undefined;
  const hidden = rest.length === 0 ? REDACTED : isObject(inner) ? hiddenAt(inner, rest) : undefined;
  return hidden === undefined ? undefined : { ...object, [step]: hidden };
}

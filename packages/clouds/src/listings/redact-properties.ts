import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { redact, REDACTED, type Redaction } from "@leeway/shared/security/redaction/redact";

import type { Cloud, ListedResource } from "../cloud.ts";
import { cloudOf } from "../clouds.ts";

type Typed = Pick<ListedResource, "provider_type" | "terraform_type">;

/** Paths to the value of a secret whose name doesn't reveal it. */
const PLACES = [["Value"], ["value"], ["properties", "value"]] as const;

/**
 * Redacts the secrets in a resource's properties; for a secret itself, such as an API key or parameter, also its value.
 */
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

/** Redacts properties for a cloud given by its provider name. */
export function redactLive(properties: JsonObject, typed: Typed, provider: string): Redaction<JsonObject> {
  return redactProperties(properties, typed, cloudOf(provider));
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

/** Returns the object with the value at the path hidden; undefined if it is missing or already hidden. */
function hiddenAt(object: JsonObject, [step = "", ...rest]: readonly string[]): JsonObject | undefined {
  const inner = object[step] ?? "";
  if (inner === "" || inner === REDACTED) return undefined;
  const hidden = rest.length === 0 ? REDACTED : isObject(inner) ? hiddenAt(inner, rest) : undefined;
  return hidden === undefined ? undefined : { ...object, [step]: hidden };
}

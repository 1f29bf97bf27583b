import { type JsonObject, member, text } from "@leeway/shared/values/json";

/** Returns the name of a resource whose full name ends with a number: an email address, or a name that isn't a path. */
export function shortName(payload: JsonObject | undefined): string | undefined {
  const email = text(payload, "email") ?? text(member(payload, "additionalAttributes"), "email");
  const name = email ?? text(payload, "name");
  return name?.includes("/") ? undefined : name;
}

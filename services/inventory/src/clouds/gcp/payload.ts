import { type JsonObject, member, text } from "@leeway/shared/json";

/** What a thing is called whose full name ends with a number: an e-mail address, or a name that is no path. */
export function shortName(payload: JsonObject | undefined): string | undefined {
  const email = text(payload, "email") ?? text(member(payload, "additionalAttributes"), "email");
  const name = email ?? text(payload, "name");
  return name?.includes("/") ? undefined : name;
}

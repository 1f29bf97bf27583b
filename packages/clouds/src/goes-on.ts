import { text, type JsonObject } from "@leeway/shared/values/json";

/** Returns a function that finds the member with the next page's token, among `names`. */
export const nextIn =
  (...names: readonly string[]) =>
  (page: JsonObject): string | undefined =>
    names.find((name) => (text(page, name) ?? "") !== "");

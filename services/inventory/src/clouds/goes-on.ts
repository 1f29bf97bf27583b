import { text, type JsonObject } from "@leeway/shared/json";

/** Finds the member of a page, one of `names`, that holds what the next page is asked for by. */
export const nextIn =
  (...names: readonly string[]) =>
  (page: JsonObject): string | undefined =>
    names.find((name) => (text(page, name) ?? "") !== "");

import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { azureFormats } from "./formats.ts";

/** Returns everything that Azure's formats read from a page, row by row as the engine does; null if none accepts it. */
export function readPage(page: JsonObject): ListedResource[] | null {
  for (const format of azureFormats) {
    const rows = format.rows.length === 0 ? [page] : format.rows.reduce<Json>(memberAt, page);
    const found = Array.isArray(rows) ? rows.map((row) => format.read(row, page)) : [null];
    if (found.every((resources) => resources !== null)) return found.flat();
  }
  return null;
}

function memberAt(value: Json, key: string): Json {
  return isObject(value) ? (value[key] ?? null) : null;
}

import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import type { ListedResource } from "../cloud.ts";
import { azureFormats } from "./formats.ts";

/** All that Azure's formats read in a page, row by row as the engine does; null when none of them reads it. */
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

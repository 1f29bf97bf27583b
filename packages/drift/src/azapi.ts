import { isObject, type Json, sameJson } from "@leeway/shared/values/json";

import type { TypeMapping } from "./mapping.ts";
import { nestedAzure } from "./mirrored.ts";

/** The body contains what the configuration sends, under the API's own names. Older providers store it as text. */
export const AZAPI: TypeMapping = {
  body: {
    live: "/",
    shape(live, declared) {
      const body = typeof declared === "string" ? parse(declared) : declared;
      if (!isObject(body)) return undefined;
      const found = nestedAzure(live, body);
      if (found === undefined || sameJson(found, body)) return declared;
      return typeof declared === "string" ? JSON.stringify(found) : found;
    },
  },
};

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

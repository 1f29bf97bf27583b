import type { Json } from "@leeway/shared/values/json";

/** Decodes UTF-8. @throws {TypeError} for other bytes */
export const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses JSON. @returns undefined if the bytes aren't JSON or aren't UTF-8 */
export function parseBytes(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

import { sha256 } from "./digest.ts";

/** Returns an id that is derived from another: always the same, and with the same timestamp (UUIDv7). */
export function derivedId(fromId: string, what: string): string {
  const hex = sha256(`${fromId} ${what}`).toString("hex");
  const id = `${fromId.replaceAll("-", "").slice(0, 12)}7${hex.slice(0, 3)}8${hex.slice(3, 18)}`;
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

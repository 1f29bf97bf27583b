import { sha256 } from "./digest.ts";

/** The id of what one thing brings about: the same each time, and of the same moment (UUID version 7). */
export function derivedId(fromId: string, what: string): string {
  const hex = sha256(`${fromId} ${what}`).toString("hex");
  const id = `${fromId.replaceAll("-", "").slice(0, 12)}7${hex.slice(0, 3)}8${hex.slice(3, 18)}`;
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

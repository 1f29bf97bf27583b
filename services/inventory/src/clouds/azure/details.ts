import { member, type JsonObject } from "@leeway/shared/json";

/** What a service says of its resource: `properties`, or the row itself where az printed it without that envelope. */
export function detailsOf(row: JsonObject | undefined): JsonObject {
  return member(row, "properties") ?? row ?? {};
}

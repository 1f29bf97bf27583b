import { member, type JsonObject } from "@leeway/shared/values/json";

/** Returns the service's details: `properties`, or the row itself if az printed it without that envelope. */
export function detailsOf(row: JsonObject | undefined): JsonObject {
  return member(row, "properties") ?? row ?? {};
}

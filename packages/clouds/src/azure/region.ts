import { text, type JsonObject } from "@leeway/shared/values/json";

/** Returns the region. Azure writes `East US` or `eastus` for the same region, and `global` for none. */
export function regionOf(resource: JsonObject): string | undefined {
  const region = text(resource, "location")?.replaceAll(" ", "").toLowerCase();
  return region === "global" ? undefined : region;
}

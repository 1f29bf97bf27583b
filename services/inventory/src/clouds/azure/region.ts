import { text, type JsonObject } from "@leeway/shared/json";

/** Azure says `East US` or `eastus` for one region, and `global` for none. */
export function regionOf(resource: JsonObject): string | undefined {
  const region = text(resource, "location")?.replaceAll(" ", "").toLowerCase();
  return region === "global" ? undefined : region;
}

import type { LiveResource } from "../../api/openapi.gen.ts";

/** Returns a resource's name, or the last part of its identifier, which distinguishes resources best. */
export function nameOf({
  name,
  provider_resource_id: id,
}: Pick<LiveResource, "name" | "provider_resource_id">): string {
  return name ?? id.split(/[/:]/).findLast((part) => part !== "") ?? id;
}

import type { LiveResource } from "../../api/openapi.gen.ts";

/** What to call a resource: its name, else the last part of its identifier, which tells things apart best. */
export function nameOf({
  name,
  provider_resource_id: id,
}: Pick<LiveResource, "name" | "provider_resource_id">): string {
  return name ?? id.split(/[/:]/).findLast((part) => part !== "") ?? id;
}

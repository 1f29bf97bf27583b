import type { JsonObject } from "@leeway/shared/values/json";

import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { textField } from "./payload.ts";
import { catalog } from "./types.ts";

/** RDS, Neptune and DocumentDB each list the resources of all three, and the ARNs don't name the service. */
const SERVICES = ["RDS", "Neptune", "DocDB"];
const FAMILY = /^AWS::(?:RDS|Neptune|DocDB)::/;

/** Replacement that makes equivalent types of the family equal. An ARN names only one resource among them. */
export const SAME_KIND = { beginning: "^AWS::(DocDB|Neptune)::", instead: "AWS::RDS::" } as const;

/** Service of an engine; all other engines belong to RDS. */
const SERVICE_OF: Readonly<Record<string, string | undefined>> = { neptune: "Neptune", docdb: "DocDB" };

/** Returns the type that fits the engine in the properties, or `entry` if they have none. */
export function typeByEngine(entry: CatalogEntry, properties: JsonObject | undefined): CatalogEntry {
  const engine = FAMILY.test(entry.type) ? textField(properties, "Engine") : undefined;
  if (engine === undefined) return entry;
  return catalog.byType(inService(entry.type, SERVICE_OF[engine] ?? "RDS")) ?? entry;
}

/** Returns other types that a resource may have if its engine is unknown. */
export function otherTypes({ provider_type: type, properties }: ListedResource): string[] {
  if (!FAMILY.test(type) || textField(properties, "Engine") !== undefined) return [];
  return SERVICES.map((service) => inService(type, service)).filter((other) => other !== type);
}

function inService(type: string, service: string): string {
  return type.replace(FAMILY, `AWS::${service}::`);
}

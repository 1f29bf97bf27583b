import type { JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { textField } from "./payload.ts";
import { catalog } from "./types.ts";

/** RDS, Neptune and DocumentDB each list what is of all three, by ARNs that don't tell whose it is. */
const SERVICES = ["RDS", "Neptune", "DocDB"];
const FAMILY = /^AWS::(?:RDS|Neptune|DocDB)::/;

/** What two types of the family have in common when their beginnings are put so: an ARN names one thing of theirs. */
export const SAME_KIND = { beginning: "^AWS::(DocDB|Neptune)::", instead: "AWS::RDS::" } as const;

/** The service of an engine; any other is RDS's. */
const SERVICE_OF: Readonly<Record<string, string | undefined>> = { neptune: "Neptune", docdb: "DocDB" };

/** The type of what is listed as of `entry`: that of its engine, where its properties tell it. */
export function typeByEngine(entry: CatalogEntry, properties: JsonObject | undefined): CatalogEntry {
  const engine = FAMILY.test(entry.type) ? textField(properties, "Engine") : undefined;
  if (engine === undefined) return entry;
  return catalog.byType(inService(entry.type, SERVICE_OF[engine] ?? "RDS")) ?? entry;
}

/** The types that a resource may be of as well as of its own, since nothing tells its engine. */
export function otherTypes({ provider_type: type, properties }: ListedResource): string[] {
  if (!FAMILY.test(type) || textField(properties, "Engine") !== undefined) return [];
  return SERVICES.map((service) => inService(type, service)).filter((other) => other !== type);
}

function inService(type: string, service: string): string {
  return type.replace(FAMILY, `AWS::${service}::`);
}

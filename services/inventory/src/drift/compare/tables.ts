import type { Json, JsonObject } from "@leeway/shared/json";

import { detailsOf } from "../../clouds/azure/details.ts";
import { AZAPI } from "./azapi.ts";
import { valueAtPath } from "./live-path.ts";
import type { MappingTable, Row, Shape, TypeMapping } from "./mapping.ts";
import { AWS } from "./mappings/aws.ts";
import { AZURE } from "./mappings/azure.ts";
import { GCP, googleValue } from "./mappings/gcp.ts";
import { mirrored, nested } from "./mirrored.ts";

/** How the attributes of a type's resources are found in live properties. */
export interface TypeMapper {
  rows: TypeMapping;
  /** For what has no row, where the provider's attributes are the API's members under Terraform's names. */
  mirror: Shape | undefined;
  /** What is at a row's path. */
  find: (properties: JsonObject, path: string) => Json | undefined;
}

const NO_ROWS: TypeMapping = {};

const TABLES: ReadonlyMap<string, TypeMapping> = new Map(
  [completed(AWS, mirrored), completed(AZURE, mirrored), completed(GCP, googleValue)].flat(),
);

function completed(table: MappingTable, shape: Shape): [string, TypeMapping][] {
  return Object.entries(table).map(([type, rows]) => [
    type,
    Object.fromEntries(
      Object.entries(rows).map(([name, row]): [string, Row] => [
        name,
        typeof row === "string" ? { live: row, shape } : row,
      ]),
    ),
  ]);
}

/** How to compare a Terraform type; undefined when nothing is known of it. */
export function mapperOf(type: string): TypeMapper | undefined {
  const rows = TABLES.get(type);
  if (type.startsWith("google_")) return { rows: rows ?? NO_ROWS, mirror: googleValue, find: valueAtPath };
  if (type.startsWith("awscc_")) return { rows: NO_ROWS, mirror: nested, find: valueAtPath };
  if (type.startsWith("azapi_")) return { rows: AZAPI, mirror: undefined, find: azureValue };
  if (rows === undefined) return undefined;
  return { rows, mirror: undefined, find: type.startsWith("azurerm_") ? azureValue : valueAtPath };
}

/** Below `properties`, or with a slash in front, of the resource itself. */
function azureValue(resource: JsonObject, path: string): Json | undefined {
  return path.startsWith("/") ? valueAtPath(resource, path.slice(1)) : valueAtPath(detailsOf(resource), path);
}

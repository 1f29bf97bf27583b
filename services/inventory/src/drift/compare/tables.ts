import type { Json, JsonObject } from "@leeway/shared/json";

import { detailsOf } from "../../clouds/azure/details.ts";
import { AZAPI } from "./azapi.ts";
import { grantRows } from "./google-grants.ts";
import { GOOGLE_COMPUTED, googleMember, googleValue, isGoogleSummary } from "./google-values.ts";
import { valueAtPath } from "./live-path.ts";
import type { MappingTable, Row, Shape, TypeMapping } from "./mapping.ts";
import { ADDED_BLOCKS } from "./mappings/added-blocks.ts";
import { AWS } from "./mappings/aws.ts";
import { AWS_ANALYTICS } from "./mappings/aws-analytics.ts";
import { AWS_GOVERNANCE } from "./mappings/aws-governance.ts";
import { AWS_MANAGED } from "./mappings/aws-managed.ts";
import { AZURE } from "./mappings/azure.ts";
import { AZURE_PLATFORM } from "./mappings/azure-platform.ts";
import { GCP } from "./mappings/gcp.ts";
import { REMOVED_BLOCKS } from "./mappings/removed-blocks.ts";
import { mirrored, mirroredAzure, nested, nestedAzure, type Member } from "./mirrored.ts";

/** How the attributes of a type's resources are found in live properties. */
export interface TypeMapper {
  rows: TypeMapping;
  /** Blocks that are live only where somebody set them; see `ADDED_BLOCKS`. */
  added?: ReadonlySet<string> | undefined;
  /** Lists and blocks that are left out of an answer where there are none; see `REMOVED_BLOCKS`. */
  removed?: ReadonlySet<string> | undefined;
  /** Whether the names of tags have no case. */
  hasTagsInAnyCase?: true;
  /** Whether of a state no more is kept than what has a row. */
  isAlone?: boolean;
  /** For what has no row, where the provider's attributes are the API's members. */
  mirror: Mirror | undefined;
  /** What is at a row's path. */
  find: (properties: JsonObject, path: string) => Json | undefined;
  /** Whether these aren't all of a resource's properties. */
  isSummary?: (properties: JsonObject) => boolean;
}

/** How a provider writes what the API has. */
interface Mirror {
  shape: Shape;
  /** Where the attributes are; the resource itself without it. */
  within?: (resource: JsonObject) => JsonObject;
  /** Where an attribute is; `mirroredMember` without it. */
  member?: Member;
  /** Attributes that aren't compared. */
  computed?: ReadonlySet<string>;
  /** Whether the state has all that the cloud answered, beside what is configured. */
  answers?: true;
}

const NO_ROWS: TypeMapping = {};

/** Types whose other attributes hold keys and code under names that don't say so, and that no rule looks at. */
const ALONE: ReadonlySet<string> = new Set([
  ...[AWS_ANALYTICS, AWS_GOVERNANCE, AWS_MANAGED, AZURE_PLATFORM].flatMap((table) => Object.keys(table)),
  ...`aws_api_gateway_api_key aws_apprunner_service aws_appsync_graphql_api aws_batch_compute_environment
  aws_cloudfront_function aws_codedeploy_deployment_group aws_codepipeline aws_db_event_subscription
  aws_vpn_connection azurerm_express_route_circuit azurerm_function_app_flex_consumption azurerm_logic_app_standard
  azurerm_virtual_network_gateway_connection`.split(/\s+/),
]);

const TABLES: ReadonlyMap<string, TypeMapping> = new Map(
  [completed(AWS, mirrored), completed(AZURE, mirroredAzure), completed(GCP, googleValue)].flat(),
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

/** They are compared as tags alone, whose names have no case. */
const AZURE_TAGS: ReadonlySet<string> = new Set(["tags"]);

/** Pulumi's own providers, by the types that they declare. */
const NATIVE: readonly [RegExp, Omit<TypeMapper, "rows" | "find">][] = [
  [/^aws-native:/, { mirror: { shape: nested, answers: true } }],
  // `azure-native_network_v20230201` is the same in an older version.
  [
    /^azure-native[\w-]*:/,
    {
      mirror: { shape: nestedAzure, answers: true, within: flattened, computed: AZURE_TAGS },
      hasTagsInAnyCase: true,
    },
  ],
];

const AZURE_API: Omit<TypeMapper, "rows"> = {
  mirror: undefined,
  find: azureValue,
  hasTagsInAnyCase: true,
};

const GOOGLE: Omit<TypeMapper, "rows"> = {
  mirror: { shape: googleValue, member: googleMember, computed: GOOGLE_COMPUTED },
  find: valueAtPath,
  isSummary: isGoogleSummary,
};

/** How to compare a type; undefined when nothing is known of it. */
export function mapperOf(type: string): TypeMapper | undefined {
  const rows = TABLES.get(type);
  if (type.startsWith("google_")) {
    const blocks = { added: ADDED_BLOCKS.get(type), removed: REMOVED_BLOCKS.get(type) };
    return { rows: rows ?? grantRows(type) ?? NO_ROWS, ...blocks, ...GOOGLE };
  }
  if (type.startsWith("awscc_")) return { rows: NO_ROWS, mirror: { shape: nested }, find: valueAtPath };
  const native = NATIVE.find(([types]) => types.test(type))?.[1];
  if (native) return { rows: NO_ROWS, find: valueAtPath, ...native };
  if (type.startsWith("azapi_")) return { rows: AZAPI, ...AZURE_API };
  if (rows === undefined) return undefined;
  const api = type.startsWith("azurerm_") ? AZURE_API : { mirror: undefined, find: valueAtPath };
  return { rows, added: addedTo(type, rows), isAlone: ALONE.has(type), ...api };
}

const IDENTITY: ReadonlySet<string> = new Set(["identity"]);

/** Azure gives nobody an identity who doesn't ask for one. */
function addedTo(type: string, rows: TypeMapping): ReadonlySet<string> | undefined {
  return ADDED_BLOCKS.get(type) ?? ("identity.type" in rows ? IDENTITY : undefined);
}

/** What the API has in an envelope, Pulumi has beside what it has around it. */
function flattened(resource: JsonObject): JsonObject {
  return { ...resource, ...detailsOf(resource) };
}

/** Below `properties`, or with a slash in front, of the resource itself. */
function azureValue(resource: JsonObject, path: string): Json | undefined {
  return path.startsWith("/") ? valueAtPath(resource, path.slice(1)) : valueAtPath(detailsOf(resource), path);
}

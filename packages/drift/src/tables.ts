import { detailsOf } from "@leeway/clouds/azure/details";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { AZAPI } from "./azapi.ts";
import { googleNames } from "./derived/google-names.ts";
import { derivedRows } from "./derived/rows.ts";
import { grantRows } from "./google-grants.ts";
import { GOOGLE_COMPUTED, googleValue, isGoogleSummary } from "./google-values.ts";
import { valueAtPath } from "./live-path.ts";
import type { MappingTable, Row, Shape, TypeMapping } from "./mapping.ts";
import { ADDED_BLOCKS } from "./mappings/added-blocks.ts";
import { AWS } from "./mappings/aws/aws.ts";
import { AZURE } from "./mappings/azure/azure.ts";
import { GCP } from "./mappings/gcp/gcp.ts";
import { REMOVED_BLOCKS } from "./mappings/removed-blocks.ts";
import { mirrored, mirroredAzure, nested, nestedAzure, type Inside, type Member } from "./mirrored.ts";

/** Lookup of a type's attributes in live properties. */
export interface TypeMapper {
  /** Rows by hand and, before them, those derived from schemas. */
  rows: TypeMapping;
  /** Rows by hand only. */
  byHand?: TypeMapping;
  /** Blocks that exist only if a user set them; see `ADDED_BLOCKS`. */
  added?: ReadonlySet<string> | undefined;
  /** Lists and blocks that answers omit if they are empty; see `REMOVED_BLOCKS`. */
  removed?: ReadonlySet<string> | undefined;
  /** Whether tag names are case-insensitive. */
  hasTagsInAnyCase?: true;
  /** Comparison of attributes without a row, if the provider's attributes mirror the API. */
  mirror: Mirror | undefined;
  /** Returns the value at a row's path. */
  find: (properties: JsonObject, path: string) => Json | undefined;
  /** Reports whether the properties are only a part of the resource's. */
  isSummary?: (properties: JsonObject) => boolean;
}

/** Relation of a provider's attributes to the API's members. */
interface Mirror {
  shape: Shape;
  /** Returns the object with the attributes; defaults to the resource itself. */
  within?: (resource: JsonObject) => JsonObject;
  /** Finds the member for an attribute; defaults to `mirroredMember`. */
  member?: Member;
  /** Shapes of attributes that aren't compared with `shape`. */
  inside?: Inside;
  /** Attributes that aren't compared. */
  computed?: ReadonlySet<string>;
  /** Whether the state contains the cloud's whole answer besides the configuration. */
  answers?: true;
}

/** Rows of a type that has none by hand. */
export const NO_ROWS: TypeMapping = {};

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

/** Tags are compared separately, because their names are case-insensitive. */
const AZURE_TAGS: ReadonlySet<string> = new Set(["tags"]);

/** Pulumi's own providers, by the pattern of their types. */
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

const GOOGLE: Omit<TypeMapper, "rows" | "mirror"> = {
  find: valueAtPath,
  isSummary: isGoogleSummary,
};

/** Returns how to compare a type; undefined if it is unknown. */
export function mapperOf(type: string): TypeMapper | undefined {
  const rows = TABLES.get(type);
  if (type.startsWith("google_")) {
    const blocks = { added: ADDED_BLOCKS.get(type), removed: REMOVED_BLOCKS.get(type) };
    const mirror = { shape: googleValue, ...googleNames(type), computed: GOOGLE_COMPUTED };
    return { rows: rows ?? grantRows(type) ?? NO_ROWS, ...blocks, mirror, ...GOOGLE };
  }
  if (type.startsWith("awscc_")) return { rows: NO_ROWS, mirror: { shape: nested }, find: valueAtPath };
  const native = NATIVE.find(([types]) => types.test(type))?.[1];
  if (native) return { rows: NO_ROWS, find: valueAtPath, ...native };
  if (type.startsWith("azapi_")) return { rows: AZAPI, ...AZURE_API };
  return schemaMapper(type, rows ?? NO_ROWS);
}

function schemaMapper(type: string, byHand: TypeMapping): TypeMapper | undefined {
  const known = schemaMappers.get(type);
  if (known) return known;
  const rows = { ...derivedRows(type, byHand), ...byHand };
  if (byHand === NO_ROWS && Object.keys(rows).length === 0) return undefined;
  const api = type.startsWith("azurerm_") ? AZURE_API : { mirror: undefined, find: valueAtPath };
  const mapper = { rows, byHand, added: addedTo(type, byHand), ...api };
  schemaMappers.set(type, mapper);
  return mapper;
}

/** Mappers by type; only types in the tables are among them. */
const schemaMappers = new Map<string, TypeMapper>();

const IDENTITY: ReadonlySet<string> = new Set(["identity"]);

/** Returns the blocks that users may add. Azure assigns an identity only on request. */
function addedTo(type: string, rows: TypeMapping): ReadonlySet<string> | undefined {
  return ADDED_BLOCKS.get(type) ?? ("identity.type" in rows ? IDENTITY : undefined);
}

/** Merges the API's envelope into the resource, as Pulumi does. */
function flattened(resource: JsonObject): JsonObject {
  return { ...resource, ...detailsOf(resource) };
}

/** Returns the value at a path below `properties`; a leading slash means the resource itself. */
function azureValue(resource: JsonObject, path: string): Json | undefined {
  return path.startsWith("/") ? valueAtPath(resource, path.slice(1)) : valueAtPath(detailsOf(resource), path);
}

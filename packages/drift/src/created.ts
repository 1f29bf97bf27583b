import type { Cloud } from "@leeway/clouds/cloud";
import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, put, type Json, type JsonObject } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

import { googleBlocks, googleValue } from "./google-values.ts";
import type { Part, Row, ShapeWithin, TypeMapping, Whole } from "./mapping.ts";
import { translated } from "./mirrored.ts";
import { snakeCase } from "./names.ts";
import { setValue } from "./projected.ts";
import { mapperOf, NO_ROWS, type TypeMapper } from "./tables.ts";

/** An undeclared live resource. */
export interface LiveResource {
  cloud: Cloud;
  providerType: string;
  /** Properties from the cloud, with redacted secrets. */
  properties: JsonObject;
  /** Parts that are declared separately, and so aren't undeclared. */
  parts?: readonly Part[];
}

/** A resource in the form of a plan that creates it. */
export interface Created {
  /** Terraform type; the cloud's own type if Terraform has none. */
  type: string;
  attributes: JsonObject;
}

/** A part of a live resource that Terraform creates as a separate resource. */
export interface CreatedPart extends Created {
  /** Path of the part in the whole's attributes. */
  at: Path;
  /** Whether the whole blocks all access, regardless of this part. */
  isShut?: boolean;
}

/**
 * Converts a live resource to what a plan would create. Rows of the type provide
 * attributes. Other members keep the API's names in snake case, which rules know
 * from providers that mirror the API. `apart` contains the parts that rows find.
 */
export function createdFrom(resource: LiveResource): Created & { apart: CreatedPart[] } {
  const { cloud, providerType, properties, parts = [] } = resource;
  // Listings with Terraform's types also use its attributes.
  if (cloud.catalog.byTerraform(providerType))
    return { type: providerType, attributes: properties, apart: [] };
  const type = createdType(resource);
  const known = mapperOf(type);
  const mapper = known?.byHand === NO_ROWS ? undefined : known;
  const found = mapper ? findRows(mapper, { declared: {}, live: properties, parts }) : [];
  const attributes = mirroredIn(cloud, properties, new Set(found.flatMap(({ row }) => row.replaces)));
  return {
    type: mapper ? type : (mirroringType(providerType) ?? type),
    attributes: found.reduce((all, { row, value }) => withRow(all, row, value), attributes),
    apart: found.flatMap(({ row, value }) => apartOf(row, value)),
  };
}

/** Returns the Terraform type that creates a live resource; the cloud's own type if there is none. */
export function createdType({ cloud, providerType }: Pick<LiveResource, "cloud" | "providerType">): string {
  return cloud.catalog.byType(providerType)?.terraform[0] ?? providerType;
}

/**
 * Returns the type in the provider that mirrors AWS's API:
 * `awscc_ec2_securitygroupingress` for `AWS::EC2::SecurityGroupIngress`.
 */
function mirroringType(providerType: string): string | undefined {
  const [space, ...names] = providerType.split("::");
  return space === "AWS" ? `awscc_${names.join("_").toLowerCase()}` : undefined;
}

/** Returns a block's members under Terraform's names. */
export function mirroredMembers(block: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(block).flatMap(([name, value]): [string, Json][] =>
      value === null ? [] : [[snakeCase(name), translated(value)]],
    ),
  );
}

/** A table row for resources without a declaration. */
interface CreatedRow extends Pick<Row, "live" | "absent"> {
  steps: readonly string[];
  shape: ShapeWithin;
  initial: Json;
  /** Mirrored members that the row replaces. */
  replaces: readonly string[];
  /** Type of the part that the attribute belongs to. */
  apart: string | undefined;
}

const rowsOf = oncePer((table: TypeMapping): readonly CreatedRow[] =>
  Object.entries(table).map(([name, row]) => createdRow(name, row)),
);

function createdRow(name: string, row: Row): CreatedRow {
  const { live, absent, initial = null, reads = live } = row;
  return {
    live,
    steps: name.split("."),
    // `googleValue` ignores blocks that a state lacks.
    shape: row.shape === googleValue ? googleBlocks : row.shape,
    initial,
    replaces: reads.split(" | ").map(memberAt),
    apart: isApart(row) ? row.part : undefined,
    ...(absent !== undefined && { absent }),
  };
}

/** Returns the mirrored name of the member at a path, without any path inside its blocks. */
function memberAt(path: string): string {
  return snakeCase(path.replace(/^\//, "").replace(/\[\]\..*$/, ""));
}

/** Reports whether only a separate resource declares an attribute. */
function isApart({ part, unstated }: Row): boolean {
  return part !== undefined && (unstated !== undefined || BUCKET_PARTS.has(part));
}

/** Types that old provider versions declare as attributes of a bucket. */
const BUCKET_PARTS: ReadonlySet<string> = new Set(["aws_s3_bucket_acl", "aws_s3_bucket_policy"]);

interface FoundRow {
  row: CreatedRow;
  value: Json;
}

function findRows({ rows, byHand = rows, find, isSummary }: TypeMapper, whole: Whole): FoundRow[] {
  const isPartial = isSummary?.(whole.live) ?? false;
  const all: FoundRow[] = [];
  for (const row of rowsOf(byHand)) {
    const found = find(whole.live, row.live) ?? (isPartial ? undefined : row.absent);
    const value = found === undefined ? undefined : row.shape(found, row.initial, whole);
    if (value !== undefined && !isUnset(value)) all.push({ row, value });
  }
  return all;
}

/** Reports whether a value is unset: null or empty. A switch that is off counts as set. */
function isUnset(value: Json): boolean {
  if (typeof value !== "object") return value === "" || value === "{}";
  return value === null || Object.keys(value).length === 0;
}

/** Members that parts are created from. */
const OF_PARTS: ReadonlySet<string> = new Set(["iamPolicy", "supplementaryConfiguration"]);

function mirroredIn(cloud: Cloud, properties: JsonObject, replaced: ReadonlySet<string>): JsonObject {
  const own = cloud.provider === "azure" ? withoutEnvelope(properties) : properties;
  const attributes: JsonObject = {};
  for (const [member, value] of Object.entries(own)) {
    const name = snakeCase(member);
    if (value === null || OF_PARTS.has(member) || replaced.has(name)) continue;
    put(attributes, name, translated(value));
  }
  return attributes;
}

function withoutEnvelope({ properties, ...others }: JsonObject): JsonObject {
  return isObject(properties) ? { ...others, ...properties } : others;
}

function withRow(attributes: JsonObject, { steps, apart }: CreatedRow, value: Json): JsonObject {
  if (apart === undefined) setValue(attributes, steps, value);
  return attributes;
}

function apartOf({ steps, apart, initial }: CreatedRow, value: Json): CreatedPart[] {
  const isNew = apart !== undefined && value !== initial;
  return isNew ? [{ type: apart, attributes: { [steps.join(".")]: value }, at: [apart] }] : [];
}

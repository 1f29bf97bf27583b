import { createHash } from "node:crypto";

import { cloudOf } from "@leeway/clouds/clouds";
import { createdFrom, type CreatedPart } from "../created.ts";
import { createdParts } from "../created-parts.ts";
import { judgeCreated, type JudgedCreation } from "../judge-created.ts";
import { partOf } from "../parts.ts";
import type { JsonObject } from "@leeway/shared/values/json";
import { storableJson } from "@leeway/shared/values/storable";

import { foundChange, type FoundChange } from "./found-change.ts";
import { openDeclared, type StoredDeclared } from "./pair.ts";
import { grantsOn, type GrantOptions } from "./undeclared-grants.ts";

/** A live resource that nothing declares. */
export interface UndeclaredRow {
  id: string;
  provider: string;
  providerType: string;
  providerResourceId: string;
  name: string | undefined;
  /** JSON; undefined if a listing only shows that the resource exists. */
  properties: string | undefined;
  /** All declared parts of the resource. */
  parts: readonly StoredDeclared[];
}

export interface UndeclaredOptions extends GrantOptions {
  /** Whether declared grants can be distinguished from undeclared ones. */
  areGrantsKnown: boolean;
}

/** Judges rows. The verdicts are in the order of the rows. */
type JudgeRows = (
  rows: readonly UndeclaredRow[],
  options: UndeclaredOptions,
) => JudgedCreation[] | Promise<JudgedCreation[]>;

/** Verdicts by all inputs, because most resources don't change from one computation to the next. */
const verdicts = new Map<string, JudgedCreation>();
const MAX_VERDICTS = 200_000;
/** The distinct verdicts, by their JSON. */
const distinct = new Map<string, JudgedCreation>();

/**
 * Judges undeclared resources as if a plan created them.
 * @param judge receives the rows without a stored verdict
 */
export async function undeclaredResources(
  rows: readonly UndeclaredRow[],
  options: UndeclaredOptions,
  judge: JudgeRows = judgeUndeclared,
): Promise<FoundChange[]> {
  const known = rows.map((row) => (isAlone(row) ? verdicts.get(keyOf(row, options)) : undefined));
  const unknown = rows.filter((_, index) => known[index] === undefined);
  const judgements = unknown.length > 0 ? await judge(unknown, options) : [];
  const fresh = new Map(unknown.map((row, index) => [row, kept(row, judgements[index], options)]));
  return rows.flatMap((row, index) => {
    const verdict = known[index] ?? fresh.get(row);
    return verdict ? [findingOf(row, verdict, options)] : [];
  });
}

/** Judges rows without using stored verdicts. */
export function judgeUndeclared(
  rows: readonly UndeclaredRow[],
  options: UndeclaredOptions,
): JudgedCreation[] {
  return rows.map((row) => judged(row, options));
}

function kept(
  row: UndeclaredRow,
  found: JudgedCreation | undefined,
  options: UndeclaredOptions,
): JudgedCreation | undefined {
  if (!found || !isAlone(row)) return found;
  if (verdicts.size >= MAX_VERDICTS) {
    verdicts.clear();
    distinct.clear();
  }
  const content = JSON.stringify(found);
  const verdict = distinct.get(content) ?? found;
  distinct.set(content, verdict);
  verdicts.set(keyOf(row, options), verdict);
  return verdict;
}

/** Returns whether a verdict depends only on the row. The parts of a resource may change while its row doesn't. */
function isAlone({ parts }: UndeclaredRow): boolean {
  return parts.length === 0;
}

function keyOf(
  { provider, providerType, providerResourceId, properties }: UndeclaredRow,
  options: UndeclaredOptions,
): string {
  const { profile, disabledRules, areGrantsKnown } = options;
  const id = properties === undefined ? "" : providerResourceId;
  const about = JSON.stringify([provider, providerType, id, profile, disabledRules, areGrantsKnown]);
  return createHash("sha256")
    .update(about)
    .update(properties ?? "")
    .digest("base64");
}

/** Judges a resource, by its type only if a listing only shows that it exists. */
function judged(row: UndeclaredRow, options: UndeclaredOptions): JudgedCreation {
  const { provider, providerType } = row;
  const properties: JsonObject = row.properties === undefined ? {} : storableJson(JSON.parse(row.properties));
  const resource = {
    cloud: cloudOf(provider),
    providerType,
    properties,
    parts: row.parts.map(openDeclared).map(partOf),
  };
  const { apart, ...whole } = createdFrom(resource);
  const parts = [...createdParts(resource, apart), ...granted(row, properties, options)];
  return judgeCreated(whole, parts, options.profile);
}

/**
 * Returns a resource's grants. Beside declared parts, other grants are changes of their own (see `undeclaredGrants`).
 */
function granted(row: UndeclaredRow, properties: JsonObject, options: UndeclaredOptions): CreatedPart[] {
  if (row.parts.length > 0 || !options.areGrantsKnown) return [];
  return grantsOn({ live: { ...row, properties }, parts: [] }, options).map(
    ({ type, attributes }, index) => ({
      type,
      attributes,
      at: [type, index],
    }),
  );
}

function findingOf(
  { id, provider, providerType, providerResourceId, name }: UndeclaredRow,
  verdict: JudgedCreation,
  { accountId }: UndeclaredOptions,
): FoundChange {
  const place = { accountId, kind: "undeclared" as const, sourceId: providerType, what: providerResourceId };
  return foundChange(place, verdict, {
    actions: ["create"],
    resource_type: providerType,
    provider_name: provider,
    provider_resource_id: providerResourceId,
    ...(name !== undefined && { resource_name: name }),
    live_resource_id: id,
    attribute_changes: [],
    risk_flags: verdict.risk_flags,
  });
}

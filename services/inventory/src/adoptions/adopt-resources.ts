import { takenBy, type StoredToAdopt } from "@leeway/drift/adopt/stored";
import type { Input } from "@leeway/shared/contracts/contract";
import { MAX_ADOPTED, type CreateAdoption } from "@leeway/shared/contracts/inventory/adoptions";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { OWNER_LEVEL } from "../matching/store/owner-level.ts";
import { driftReaders } from "../readers.ts";
import { resourceFilter } from "../resources/resource-filter.ts";
import { findPage } from "../resources/search.ts";
import { adoptableById, joinedSource, type AdoptableRow } from "./store.ts";

/** A resource takes as long as this many bytes would to read, even if it is small. */
const BYTES_A_ROW = 1_000;

/**
 * Turns live resources into code. Nothing is stored.
 * @returns the adoption's JSON
 * @throws {AppError} `not_found`, `invalid_parameter`, `too_slow_to_read`
 */
export async function adoptResources(
  database: Database,
  input: Input<typeof CreateAdoption>,
): Promise<string> {
  const sql = database.org(input.org_id);
  const ids = input.resource_ids ?? (await idsFor(sql, input.filter));
  const [rows, beside] = await Promise.all([adoptableById(sql, ids), joinedSource(sql, input.source_id)]);
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw new AppError("not_found", `the resource ${missing} doesn't exist`);
  if (input.source_id !== undefined && beside === undefined) {
    throw new AppError("not_found", "the source doesn't exist");
  }
  const bytes = rows.reduce((sum, { properties }) => sum + BYTES_A_ROW + (properties?.length ?? 0), 0);
  const piece = { orgId: input.org_id, bytes };
  return (await driftReaders.do(piece, "adoptStored", [rows.map(fromRow), beside ?? [], input.tool])).json;
}

async function idsFor(sql: OrgStatements, filter: Input<typeof CreateAdoption>["filter"]): Promise<string[]> {
  if (filter === undefined) throw invalidParameter("resource_ids", "or filter must be given");
  const { json, last } = await findPage(sql, resourceFilter({ ...filter, match: "undeclared" }), {
    after: undefined,
    limit: MAX_ADOPTED,
  });
  if (last !== undefined) {
    throw invalidParameter("filter", `selects more than ${MAX_ADOPTED} resources; narrow it`);
  }
  const found: readonly { id: string }[] = JSON.parse(`[${json}]`);
  return found.map(({ id }) => id);
}

function fromRow(row: AdoptableRow): StoredToAdopt {
  const taken = takenBy(row.provider, {
    address: row.address ?? undefined,
    exclusion: row.exclusion ?? undefined,
    isOwned: row.match_level === OWNER_LEVEL,
  });
  return {
    id: row.id,
    provider: row.provider,
    account: row.account,
    providerType: row.provider_type,
    providerResourceId: row.provider_resource_id,
    region: row.region ?? undefined,
    name: row.name ?? undefined,
    tags: row.tags ?? undefined,
    properties: row.properties ?? undefined,
    taken: row.is_beyond
      ? "the resources of this request are too large together; adopt fewer at once"
      : taken,
  };
}

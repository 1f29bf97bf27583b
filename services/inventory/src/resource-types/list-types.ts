import { cloudOf, cloudOfType } from "@leeway/clouds/clouds";
import { comparisonOf, shareOf } from "@leeway/drift/gaps/comparison";
import type { ResourceType } from "@leeway/shared/contracts/inventory/types";
import type { OrgStatements } from "@leeway/shared/database/database";

import { countDeclared, countLive } from "./store.ts";

/** Returns the organization's types by name, and how much of each is compared. */
export async function listTypes(
  sql: OrgStatements,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<(ResourceType & { id: string })[]> {
  const [declared, live] = await Promise.all([countDeclared(sql), countLive(sql)]);
  const counts = [
    ...declared.map(({ type, count }) => ({
      type,
      provider: cloudOfType(type).provider,
      declared_count: count,
      live_count: 0,
      undeclared_count: 0,
    })),
    ...live.map(({ provider, provider_type, declared_type, count, undeclared_count }) => ({
      type: declared_type ?? terraformType(provider, provider_type),
      provider,
      declared_count: 0,
      live_count: count,
      undeclared_count,
    })),
  ];
  const groups = Map.groupBy(counts, ({ type }) => type);
  const next = [...groups.keys()].filter((type) => after === undefined || type > after).toSorted();
  return next.slice(0, limit).map((type) => ({
    id: type,
    ...(groups.get(type) ?? []).reduce(sum),
    ...comparedCounts(type),
  }));
}

type Counts = Pick<ResourceType, "type" | "provider" | "declared_count" | "live_count" | "undeclared_count">;

function sum(one: Counts, other: Counts): Counts {
  return {
    ...one,
    declared_count: one.declared_count + other.declared_count,
    live_count: one.live_count + other.live_count,
    undeclared_count: one.undeclared_count + other.undeclared_count,
  };
}

/** Returns the Terraform type that would declare a live resource; its own type if there is none. */
function terraformType(provider: string, type: string): string {
  return cloudOf(provider).catalog.byType(type)?.terraform[0] ?? type;
}

function comparedCounts(type: string): Partial<ResourceType> {
  const comparison = comparisonOf(type);
  if (comparison === undefined) return {};
  const { settable, compared } = comparison;
  return { settable_count: settable, compared_count: compared, compared_pct: shareOf(comparison) };
}

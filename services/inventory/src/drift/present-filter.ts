import type { Input } from "@leeway/shared/contracts/contract";
import type { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { invalidParameter } from "@leeway/shared/values/errors";

import type { PresentFilter } from "./store/filters.ts";

/** Converts the filters of a request. @throws {AppError} `invalid_parameter` for a movement without a time */
export function presentFilter(
  input: Omit<Input<typeof ListDriftChanges>, "org_id" | "limit" | "cursor" | "sort">,
): PresentFilter {
  if (input.movement !== undefined && input.since === undefined) {
    throw invalidParameter("movement", "requires since");
  }
  const { kind, noise, hidden, disposition, ignored, principal, cause, since, movement } = input;
  return {
    accountId: input.account_id,
    riskLevel: input.risk_level,
    minRisk: input.min_risk,
    resourceType: input.resource_type,
    moduleAddress: input.module_address,
    region: input.region,
    tag: input.tag,
    q: input.q,
    personHour: input.person_hour,
    kind,
    noise,
    hidden,
    disposition,
    ignored,
    principal,
    cause,
    since,
    movement,
  };
}

import type { Loss } from "@leeway/clouds/loss";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import { foundChange, type FoundChange } from "./found-change.ts";
import type { StoredDeclared } from "./pair.ts";

/** Rules' verdict on a missing resource, by what is lost with it. */
export const MISSING_VERDICTS = {
  stateful: { level: "critical", rule: "R01", flag: "deleted_outside" },
  key_material: { level: "critical", rule: "R03", flag: "destroy_key_material" },
  container: { level: "critical", rule: "R04", flag: "destroy_container" },
  maybe_stateful: { level: "high", rule: "R01", flag: "maybe_stateful" },
  serving: { level: "high", rule: "R17", flag: "destroy_serving" },
  other: { level: "medium", rule: "R18", flag: "destroy" },
} as const satisfies Record<Loss, { level: RiskLevel; rule: string; flag: string }>;

/** Returns the change of a declared resource that isn't live. The database computes the same for an account. */
export function missingChange(
  declared: Omit<StoredDeclared, "attributes" | "isListed"> & { loss: Loss },
  accountId: string,
): FoundChange {
  const { id, sourceId, type, address, moduleAddress, providerName = "", loss } = declared;
  const { level, rule, flag } = MISSING_VERDICTS[loss];
  return foundChange(
    { accountId, kind: "missing", sourceId, what: address },
    { risk_level: level },
    {
      actions: ["delete"],
      address,
      ...(moduleAddress !== undefined && { module_address: moduleAddress }),
      resource_type: type,
      provider_name: providerName,
      iac_resource_id: id,
      attribute_changes: [],
      risk_flags: [{ rule, flag, evidence: [] }],
    },
  );
}

import { unfitReason } from "@leeway/analysis/settle/fit";
import type { SettlementRefusal, SettlementWay } from "@leeway/shared/contracts/analyzer/settlements";

import type { DeclaredChange } from "./source.ts";

/** Returns why a change can't be settled this way, whatever the code says. */
export function refusalOf(
  { change, source }: DeclaredChange,
  how: SettlementWay,
): SettlementRefusal | undefined {
  const unfit = unfitReason(change.kind, how);
  if (unfit !== undefined) return { code: "not_applicable", message: unfit };
  if (how === "adopt") return undefined;
  if (!source || change.address === undefined)
    return { code: "no_source", message: "no IaC source declares the resource any more" };
  if (source.kind === undefined || source.kind === "terraform") return undefined;
  const message = `the source is of ${source.kind}, and only code of Terraform and OpenTofu is edited`;
  return { code: "not_applicable", message };
}

export function withoutRepository(name = "the source"): SettlementRefusal {
  return {
    code: "no_repository",
    message: `IaC source ${name} has no repository; set it with PATCH /orgs/:id/iac-sources/:source_id {"repository": {"host": "gitlab" or "github", "path": "group/repo", "dir": "envs/prod", "ref": "main"}}`,
  };
}

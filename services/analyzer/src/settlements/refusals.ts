import type { SettlementRefusal, SettlementWay } from "@leeway/shared/contracts/analyzer/settlements";
import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";

import type { DeclaredChange } from "./source.ts";

const TO_ADOPT = "no code declares the resource; use adopt";
const TO_APPLY = "the code isn't applied yet, which is no drift; apply it";
const IS_DECLARED = "the resource is declared already, so it can't be adopted";

/** Reasons why a way doesn't fit a kind of change. */
const UNFIT: Readonly<Record<DriftKind, Readonly<Partial<Record<SettlementWay, string>>>>> = {
  undeclared: { accept: TO_ADOPT, revert: TO_ADOPT, forget: TO_ADOPT },
  pending: { accept: TO_APPLY, revert: TO_APPLY, forget: TO_APPLY, adopt: TO_APPLY },
  missing: {
    accept: "the resource is missing, so there is nothing to accept; use forget or revert",
    adopt: IS_DECLARED,
  },
  changed: {
    forget: "the resource exists, so forgetting it would leave it without code; use accept or revert",
    adopt: IS_DECLARED,
  },
};

/** Returns why a change can't be settled this way, whatever the code says. */
export function refusalOf(
  { change, source }: DeclaredChange,
  how: SettlementWay,
): SettlementRefusal | undefined {
  const unfit = UNFIT[change.kind][how];
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

import type { SettlementWay } from "@leeway/shared/contracts/analyzer/settlements";
import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";

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

/** Returns why changes of a kind can't be settled this way; undefined if they can. */
export function unfitReason(kind: DriftKind, how: SettlementWay): string | undefined {
  return UNFIT[kind][how];
}

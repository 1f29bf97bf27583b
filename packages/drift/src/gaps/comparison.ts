import { cloudOfType } from "@leeway/clouds/clouds";
import type { Comparison, GapReason } from "@leeway/shared/contracts/inventory/types";

import { typeLines } from "../type-lines.ts";
import AWS from "./aws.tsv" with { type: "text" };
import AZURE from "./azure.tsv" with { type: "text" };
import GCP from "./gcp.tsv" with { type: "text" };

/** Lists of attributes that can be set, but aren't compared. */
const GAPS = typeLines({ aws: AWS, azurerm: AZURE, google: GCP });

/** Returns the types whose schema is known. */
export function knownTypes(): string[] {
  return GAPS.types();
}

/** Returns which attributes of a type are compared; undefined if its schema isn't known. */
export function comparisonOf(type: string): Comparison | undefined {
  const lines = GAPS.of(cloudOfType(type).bridgedType(type) ?? type);
  const [[, settable] = []] = lines;
  if (settable === undefined) return undefined;
  const gaps = lines.flatMap(([, , reason, attributes = "", note]) =>
    reason === undefined ? [] : attributes.split(" ").map((one) => gapOf(one, reason, note)),
  );
  const missed = gaps.reduce((sum, { count = 1 }) => sum + count, 0);
  return { settable: Number(settable), compared: Number(settable) - missed, not_compared: gaps };
}

function gapOf(text: string, reason: string, note: string | undefined): Comparison["not_compared"][number] {
  const [attribute = "", count] = text.split("*");
  return {
    attribute,
    ...(count !== undefined && { count: Number(count) }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test checks every line of the lists
    reason: reason as GapReason,
    ...(note !== undefined && { note }),
  };
}

/** Returns a share in percent, rounded down so that only a complete one is 100. */
export function shareOf({ settable, compared }: Pick<Comparison, "settable" | "compared">): number {
  return settable === 0 ? 100 : Math.floor((1000 * compared) / settable) / 10;
}

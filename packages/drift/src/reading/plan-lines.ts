import { PlanLine } from "@leeway/shared/contracts/inventory/plans";
import { decode } from "@leeway/shared/values/decode";
import { text } from "@leeway/shared/values/json";

/** A plan's entry for one resource. */
export interface PlanChange {
  kind: "drift" | "pending";
  address: string;
  /** JSON. */
  content: string;
}

/**
 * Returns the changes in a plan's report, which has a `PlanLine` in each line. @throws {AppError} `invalid_parameter`
 */
export function readPlanLines(bytes: Uint8Array): PlanChange[] {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => changeOf(decode(PlanLine, JSON.parse(line))));
}

function changeOf(line: PlanLine): PlanChange {
  if ("pending" in line) {
    return { kind: "pending", address: line.pending.address, content: JSON.stringify(line.pending) };
  }
  return {
    kind: "drift",
    address: text(line.drift, "address") ?? "",
    content: JSON.stringify(line.drift),
  };
}

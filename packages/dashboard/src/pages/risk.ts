import type { PostureRow } from "../api/openapi.gen.ts";

export type Level = NonNullable<PostureRow["risk_level"]>;

/** Returns the drift risk. If no live resource is declared, nothing could drift, so the risk is unknown. */
export function riskOf({
  risk_level: level,
  matched_count: matched,
}: Pick<PostureRow, "risk_level" | "matched_count">): Level | undefined {
  return level === "none" && matched === 0 ? undefined : level;
}

import type { Analysis, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { driftLevel } from "../narrative/counts.ts";
import { markerOf } from "./marker.ts";
import { sectionsOf, titleOf, type Explained } from "./sections.ts";
import { split, type CommentPart } from "./split.ts";

/** Maximum length of a comment by host, in characters. */
export const COMMENT_LIMITS = { github: 65_536, gitlab: 1_000_000 } as const;

/**
 * Renders the comment that explains a plan, split to fit the host's limit (at least 16,384 characters). The same
 * analysis and narrative always give the same comment, and no text from outside can act in it.
 */
export function planComment({ limit, ...explained }: Explained & { limit: number }): CommentPart[] {
  const marker = markerOf(explained.context.project);
  return split(sectionsOf(explained), { marker, limit, title: titleOf(explained.context) });
}

/** Returns whether an analysis warrants a new comment. An existing comment is updated whatever the level. */
export function deservesComment(analysis: Analysis, least: RiskLevel): boolean {
  return isAtLeast(worstOf([analysis.risk_level, driftLevel(analysis)]), least);
}

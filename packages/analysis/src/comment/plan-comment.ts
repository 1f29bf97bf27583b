import type { Analysis, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast, worstOf } from "@leeway/shared/risk-levels";

import { driftLevel } from "../narrative/counts.ts";
import { markerOf } from "./marker.ts";
import { sectionsOf, titleOf, type Explained } from "./sections.ts";
import { split, type CommentPart } from "./split.ts";

/** How long a comment may be, in characters. */
export const COMMENT_LIMITS = { github: 65_536, gitlab: 1_000_000 } as const;

/**
 * The comment that explains a plan, in as many parts as the host's limit asks for (at least 16,384 characters). The
 * same analysis and narrative give the same comment, whichever run they are of; nothing from outside can act in it.
 */
export function planComment({ limit, ...explained }: Explained & { limit: number }): CommentPart[] {
  const marker = markerOf(explained.context.project);
  return split(sectionsOf(explained), { marker, limit, title: titleOf(explained.context) });
}

/** Whether an analysis is worth a new comment; one that is there already is kept up to date whatever the level. */
export function deservesComment(analysis: Analysis, least: RiskLevel): boolean {
  return isAtLeast(worstOf([analysis.risk_level, driftLevel(analysis)]), least);
}

import type { ReactNode } from "react";

import type { Level } from "./badge.tsx";

type Drawn = Exclude<Level, "none">;

const TEXT = { critical: "text-critical", high: "text-high", medium: "text-medium", low: "text-low" };
/** Pattern of each level in a tile of 6 × 6, so that levels differ without colour. */
const HATCHES: Record<Drawn, ReactNode> = {
  critical: <rect width="6" height="6" fill="currentColor" />,
  high: <path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="currentColor" strokeWidth="2" />,
  medium: <circle cx="3" cy="3" r="1.4" fill="currentColor" />,
  low: <path d="M0 3h6" stroke="currentColor" strokeWidth="1" />,
};

interface LevelBarProps {
  /** Id that is unique in the page. */
  id: string;
  level: Drawn;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Draws a bar with the colour and the hatch of a level, which forced colours keep apart, too. */
export function LevelBar({ id, level, ...place }: LevelBarProps) {
  return (
    <g className={TEXT[level]}>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
        {HATCHES[level]}
      </pattern>
      <rect {...place} fill="currentColor" fillOpacity="0.18" />
      <rect {...place} fill={`url(#${id})`} stroke="currentColor" strokeWidth="0.75" />
    </g>
  );
}

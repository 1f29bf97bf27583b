import type { ReactNode } from "react";

import { classNames } from "./class-names.ts";

const TONES = {
  critical: "bg-critical-soft text-critical",
  high: "bg-high-soft text-high",
  medium: "bg-medium-soft text-medium",
  low: "bg-low-soft text-low",
  good: "bg-good-soft text-good",
  accent: "bg-accent-soft text-accent",
  neutral: "bg-sunken text-muted",
};
export type Tone = keyof typeof TONES;

interface BadgeProps {
  tone?: Tone;
  /** Explanation in a tooltip. */
  title?: string | undefined;
  children: ReactNode;
}

/** Shows a state in a word. */
export function Badge({ tone = "neutral", title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex h-5.5 items-center gap-1.5 rounded-md px-2 text-xs font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

const FILLED = { critical: 4, high: 3, medium: 2, low: 1, none: 0 };
export type Level = keyof typeof FILLED;

/** Shows a severity as a word with a number of bars, so that it can be read without colour. */
export function LevelBadge({ level }: { level: Level }) {
  return (
    <Badge tone={level === "none" ? "neutral" : level}>
      <span aria-hidden="true" className="flex items-end gap-px">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={classNames(
              "w-[3px] rounded-xs bg-current forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none",
              bar > FILLED[level] && "opacity-25",
            )}
            style={{ height: 3 + bar * 2 }}
          />
        ))}
      </span>
      {level === "none" ? "No risk" : level.charAt(0).toUpperCase() + level.slice(1)}
    </Badge>
  );
}

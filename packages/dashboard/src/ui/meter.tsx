import { classNames } from "./class-names.ts";

interface MeterProps {
  /** Percentage, from 0 to 100. */
  percent: number;
  label: string;
  /** Whether to draw it as unreliable. */
  doubtful?: boolean;
}

/** Shows a percentage as a bar. */
export function Meter({ percent, label, doubtful = false }: MeterProps) {
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="bg-sunken h-1.5 w-full overflow-hidden rounded-full forced-colors:border forced-colors:border-[CanvasText]"
    >
      <div
        className={classNames(
          "h-full rounded-full forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none",
          doubtful ? "bg-strong-line" : "bg-accent",
        )}
        style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </div>
  );
}

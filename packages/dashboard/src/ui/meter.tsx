import { classNames } from "./class-names.ts";

interface MeterProps {
  /** 0 to 100. */
  percent: number;
  label: string;
  /** Drawn as not to be relied on. */
  doubtful?: boolean;
}

/** A share as a bar. */
export function Meter({ percent, label, doubtful = false }: MeterProps) {
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="bg-sunken h-1.5 w-full overflow-hidden rounded-full"
    >
      <div
        className={classNames("h-full rounded-full", doubtful ? "bg-strong-line" : "bg-accent")}
        style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </div>
  );
}

import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

/** Size of a chart's drawing. */
export const [CHART_WIDTH, CHART_HEIGHT] = [600, 150];

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Formats a date such as `2026-11-30` as `30 Nov`. */
export function dayText(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

interface DayChartProps {
  title: string;
  /** Dates of the days, oldest first. */
  dates: readonly string[];
  /** Returns a day's figures in words. */
  textAt: (at: number) => string;
  /** Value at the upper edge; the lower one is 0. */
  most: string;
  /** Draws the days; `at` is the one that is looked at. */
  children: (at: number) => ReactNode;
  /** The same figures as a table. */
  table: ReactNode;
}

/** Frames a chart of days: the pointer or the arrow keys choose a day, whose figures are shown in words. */
export function DayChart({ title, dates, textAt, most, children, table }: DayChartProps) {
  const last = dates.length - 1;
  const [chosen, setChosen] = useState<number>();
  const at = Math.min(chosen ?? last, last);
  const date = dates[at];
  const text = date === undefined ? "" : `${dayText(date)}: ${textAt(at)}`;
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * dates.length))));
  };
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-muted text-xs font-medium">{title}</h3>
      <p className="min-h-10 tabular-nums" aria-hidden="true">
        {text}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by day`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={text}
        onKeyDown={move}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(undefined)}
        className="relative cursor-crosshair touch-pan-y"
      >
        <span aria-hidden="true" className="text-muted absolute -top-1 left-0 text-xs">
          {most}
        </span>
        <svg aria-hidden="true" viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`} className="w-full">
          <line x1="0" x2={CHART_WIDTH} y1="0.5" y2="0.5" className="stroke-line" strokeDasharray="2 4" />
          <Column at={at} count={dates.length} />
          {children(at)}
          <line
            x1="0"
            x2={CHART_WIDTH}
            y1={CHART_HEIGHT - 0.5}
            y2={CHART_HEIGHT - 0.5}
            className="stroke-strong-line"
          />
        </svg>
      </div>
      <div aria-hidden="true" className="text-muted flex justify-between text-xs">
        <span>{dates[0] !== undefined && dayText(dates[0])}</span>
        <span>Today</span>
      </div>
      <details>
        <summary className="text-muted hover:text-ink w-fit py-1 text-xs">Day by day</summary>
        <div
          className="max-h-72 overflow-y-auto"
          tabIndex={0}
          role="region"
          aria-label={`${title} as a table`}
        >
          {table}
        </div>
      </details>
    </div>
  );
}

/** Marks the day that is looked at. */
function Column({ at, count }: { at: number; count: number }) {
  const step = CHART_WIDTH / count;
  return (
    <rect
      x={at * step}
      y="0"
      width={step}
      height={CHART_HEIGHT}
      className="fill-sunken stroke-line forced-colors:stroke-[Highlight]"
    />
  );
}

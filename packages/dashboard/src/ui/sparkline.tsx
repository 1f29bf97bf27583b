interface SparklineProps {
  /** Values, oldest first. */
  values: readonly number[];
  /** Lowest and highest possible value, so that the lines of several rows can be compared. */
  range: readonly [least: number, most: number];
  /** Description in words. */
  label: string;
}

const WIDTH = 96;
const HEIGHT = 24;
const EDGE = 2;

/** Shows the history of a figure as a line. */
export function Sparkline({ values, range: [least, most], label }: SparklineProps) {
  const span = most - least;
  const points = values.map((value, index) => {
    const x = EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - ((value - least) / span) * (HEIGHT - 2 * EDGE);
    return [x.toFixed(1), y.toFixed(1)] as const;
  });
  const last = points.at(-1);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="text-accent h-6 w-24">
      <title>{label}</title>
      <polyline
        points={points.map((point) => point.join(",")).join(" ")}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {last && <circle cx={last[0]} cy={last[1]} r="2" fill="currentColor" />}
    </svg>
  );
}

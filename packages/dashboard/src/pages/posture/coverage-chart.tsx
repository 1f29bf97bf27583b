import { CHART_HEIGHT, CHART_WIDTH, DayChart } from "../../ui/day-chart.tsx";
import { percentText } from "../../ui/number.ts";
import type { PostureDay } from "./days.ts";
import { DayTable } from "./day-table.tsx";

const EDGE = 4;

/** Draws the coverage of each day, from 0 to 100 %. Days without a reliable figure leave a gap. */
export function CoverageChart({ days }: { days: readonly PostureDay[] }) {
  const step = CHART_WIDTH / days.length;
  const points = days.map(({ coverage }, at) =>
    coverage === undefined
      ? undefined
      : ([(at + 0.5) * step, CHART_HEIGHT - EDGE - (coverage / 100) * (CHART_HEIGHT - 2 * EDGE)] as const),
  );
  return (
    <DayChart
      title="Coverage"
      dates={days.map(({ date }) => date)}
      textAt={(at) => (days[at] ? textOf(days[at]) : "")}
      most="100 %"
      table={
        <DayTable
          columns={["Coverage"]}
          rows={days.map(({ date, coverage }) => [
            date,
            [coverage === undefined ? "–" : percentText(coverage)],
          ])}
        />
      }
    >
      {(at) => (
        <g className="text-accent">
          <line
            x1="0"
            x2={CHART_WIDTH}
            y1={CHART_HEIGHT / 2}
            y2={CHART_HEIGHT / 2}
            className="stroke-line"
            strokeDasharray="2 4"
          />
          <path
            d={pathOf(points)}
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {points[at] && <circle cx={points[at][0]} cy={points[at][1]} r="5" fill="currentColor" />}
        </g>
      )}
    </DayChart>
  );
}

/** Returns the path through points; a gap begins a new line. */
function pathOf(points: readonly (readonly [x: number, y: number] | undefined)[]): string {
  return points
    .map((point, at) =>
      point ? `${points[at - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "",
    )
    .join("");
}

function textOf({ coverage }: PostureDay): string {
  return coverage === undefined
    ? "no reliable figure"
    : `${percentText(coverage)} of live resources are declared`;
}

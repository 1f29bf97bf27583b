import { Link } from "@tanstack/react-router";
import { useId } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { CHART_HEIGHT, CHART_WIDTH, DayChart } from "../../ui/day-chart.tsx";
import { LevelBar } from "../../ui/level-fill.tsx";
import { countText } from "../../ui/number.ts";
import { inWords } from "../words.ts";
import { COUNTED_LEVELS, countsText, type PostureDay } from "./days.ts";
import { DayTable } from "./day-table.tsx";

const [GAP, TOP] = [4, 14];

interface RiskChartProps {
  days: readonly PostureDay[];
  accountId: string | undefined;
}

/** Stacks the open risk of each day by level, the worst at the bottom. */
export function RiskChart({ days, accountId }: RiskChartProps) {
  const id = useId();
  const most = Math.max(1, ...days.map(totalOf));
  const step = CHART_WIDTH / days.length;
  const heightOf = (count: number): number => (count / most) * (CHART_HEIGHT - TOP);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <DayChart
        title="Open risk"
        dates={days.map(({ date }) => date)}
        textAt={(at) => (days[at]?.counts ? countsText(days[at].counts) : "not compared yet")}
        most={countText(most)}
        table={
          <DayTable
            columns={COUNTED_LEVELS.map(inWords)}
            rows={days.map(({ date, counts }) => [
              date,
              COUNTED_LEVELS.map((level) => (counts ? countText(counts[level]) : "–")),
            ])}
          />
        }
      >
        {() =>
          days.flatMap(({ date, counts }, at) => {
            let y = CHART_HEIGHT;
            return COUNTED_LEVELS.map((level) => {
              const height = heightOf(counts?.[level] ?? 0);
              y -= height;
              if (height === 0) return undefined;
              const place = { x: at * step + GAP / 2, y, width: step - GAP, height };
              return <LevelBar key={date + level} id={`${id}${at}${level}`} level={level} {...place} />;
            });
          })
        }
      </DayChart>
      <Legend day={days.at(-1)} accountId={accountId} />
    </div>
  );
}

function totalOf({ counts }: PostureDay): number {
  return counts ? COUNTED_LEVELS.reduce((sum, level) => sum + counts[level], 0) : 0;
}

/** Names the levels with today's counts; each leads to its changes. */
function Legend({ day, accountId }: { day: PostureDay | undefined; accountId: string | undefined }) {
  const orgId = useOrgId();
  const id = useId();
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
      {COUNTED_LEVELS.map((level) => (
        <li key={level} className="flex min-h-6 items-center gap-2">
          <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3">
            <LevelBar id={id + level} level={level} x={0.5} y={0.5} width={11} height={11} />
          </svg>
          <Link
            to="/orgs/$orgId/drift"
            params={{ orgId }}
            search={{
              risk_level: level,
              ignored: "exclude",
              ...(accountId !== undefined && { account_id: accountId }),
            }}
            className="underline-offset-4 hover:underline"
          >
            {inWords(level)}
            {day?.counts && <span className="text-muted tabular-nums"> {countText(day.counts[level])}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

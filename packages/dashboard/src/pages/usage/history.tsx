import { useRead } from "../../api/hooks.ts";
import type { LlmUsageDay } from "../../api/openapi.gen.ts";
import { dayText } from "../../ui/day-chart.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";

const DAYS = 30;
const [WIDTH, HEIGHT, GAP] = [600, 120, 4];

/** Shows the daily use of the platform's model. */
export function History() {
  const history = useRead("GET /orgs/{id}/llm-usage/history", { query: { days: DAYS } });
  return (
    <Card title="The last 30 days">
      <div className="flex flex-col gap-4">
        <Read read={history}>{({ data }) => <Days days={data} />}</Read>
      </div>
    </Card>
  );
}

function Days({ days }: { days: readonly LlmUsageDay[] }) {
  const used = days.reduce((sum, day) => sum + day.consumed + day.held, 0);
  const released = days.reduce((sum, day) => sum + day.released, 0);
  return (
    <div className="flex flex-col gap-4">
      <p>
        {countOf(used, "model request")}
        {released > 0 && (
          <span className="text-muted">, {countText(released)} not counted, because no model answered</span>
        )}
        .
      </p>
      {used + released > 0 && <Bars days={days} />}
      <details>
        <summary className="text-muted hover:text-ink w-fit">Day by day</summary>
        <DayTable days={days.toReversed()} />
      </details>
    </div>
  );
}

function Bars({ days }: { days: readonly LlmUsageDay[] }) {
  const most = Math.max(1, ...days.map(({ consumed, held, released }) => consumed + held + released));
  const step = WIDTH / days.length;
  const [first] = days;
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={`Model requests per day, at most ${countText(most)}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="text-accent w-full"
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
        {days.map(({ date, consumed, held, released }, at) => {
          const taken = ((consumed + held) / most) * (HEIGHT - GAP);
          const back = (released / most) * (HEIGHT - GAP);
          const x = at * step + GAP / 2;
          return (
            <g key={date}>
              <title>{`${date}: ${consumed + held} used, ${released} not counted`}</title>
              <rect x={x} y={HEIGHT - taken} width={step - GAP} height={taken} rx="2" fill="currentColor" />
              <rect
                x={x}
                y={HEIGHT - taken - back}
                width={step - GAP}
                height={back}
                rx="2"
                className="fill-strong-line"
              />
            </g>
          );
        })}
      </svg>
      <figcaption className="text-muted flex justify-between text-xs">
        <span>{first && dayText(first.date)}</span>
        <span>Today</span>
      </figcaption>
    </figure>
  );
}

function DayTable({ days }: { days: readonly LlmUsageDay[] }) {
  return (
    <table className="mt-3 w-full text-left tabular-nums">
      <thead className="text-muted text-xs">
        <tr>
          <th className="py-1 font-medium">Day (UTC)</th>
          <th className="py-1 text-right font-medium">Used</th>
          <th className="py-1 text-right font-medium">In progress</th>
          <th className="py-1 text-right font-medium">Not counted</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, consumed, held, released }) => (
          <tr key={date} className="border-line border-t">
            <td className="py-1">{date}</td>
            <td className="py-1 text-right">{consumed}</td>
            <td className="py-1 text-right">{held}</td>
            <td className="py-1 text-right">{released}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

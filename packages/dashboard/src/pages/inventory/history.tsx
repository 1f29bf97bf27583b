import type { LiveResourceDetail } from "../../api/openapi.gen.ts";
import { Card } from "../../ui/page.tsx";
import { Moment } from "../../ui/time.tsx";

/** Lists a resource's known history, latest first. */
export function History({ resource }: { resource: LiveResourceDetail }) {
  const { first_seen_at: first, last_seen_at: last, enriched_at: fetched } = resource;
  const moments = [
    [last, "Last seen by a scan"],
    ...(fetched === undefined ? [] : [[fetched, "All properties fetched"] as const]),
    [first, "First seen"],
  ] as const;
  return (
    <Card title="History">
      <ol className="border-line ml-1 flex flex-col gap-4 border-l pl-4">
        {moments
          .toSorted(([a], [b]) => b.localeCompare(a))
          .map(([at, text]) => (
            <li key={text} className="relative">
              <span
                aria-hidden="true"
                className="bg-strong-line border-surface absolute top-1 -left-[1.35rem] size-2.5 rounded-full border-2"
              />
              <div>{text}</div>
              <div className="text-muted text-xs">
                <Moment at={at} />
              </div>
            </li>
          ))}
      </ol>
    </Card>
  );
}

import type { PostureRow } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { Meter } from "../../ui/meter.tsx";
import { countOf, percentText } from "../../ui/number.ts";
import { standingOf } from "./standing.ts";

/** How much of an account is declared, and how far that can be relied on. */
export function Coverage({ row }: { row: PostureRow }) {
  const standing = standingOf(row);
  switch (standing.kind) {
    case "never":
      return <Badge title="Nothing is known of this account until its first scan.">Never scanned</Badge>;
    case "pending":
      return (
        <Badge tone="accent" title="Scanned; its comparison with what is declared is under way.">
          Being computed
        </Badge>
      );
    case "failed":
      return (
        <Badge tone="critical" title="The last comparison failed, so that its figures mean nothing.">
          Unknown: computation failed
        </Badge>
      );
    case "unsure":
    case "sure":
      return <Figure row={row} {...standing} isSure={standing.kind === "sure"} />;
  }
}

interface FigureProps {
  row: PostureRow;
  percent: number;
  isSure: boolean;
  isUpdating: boolean;
}

function Figure({ row, percent, isSure, isUpdating }: FigureProps) {
  return (
    <div className="flex w-full max-w-56 flex-col gap-1.5 narrow:items-end">
      <div className="flex items-center gap-2">
        <span className="font-medium tabular-nums">
          {isSure ? percentText(percent) : `≈ ${percentText(percent)}`}
        </span>
        {!isSure && (
          <Badge
            tone="medium"
            title={`${countOf(row.unchecked_count, "resource")} of a type that nothing could be compared with`}
          >
            Not reliable
          </Badge>
        )}
        {isUpdating && <span className="text-muted text-xs">updating</span>}
      </div>
      <Meter percent={percent} doubtful={!isSure} label={`Coverage of ${row.name ?? row.external_id}`} />
    </div>
  );
}

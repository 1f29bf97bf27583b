import type { PostureRow } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { Meter } from "../../ui/meter.tsx";
import { countOf, percentText } from "../../ui/number.ts";
import { coverageStateOf } from "./coverage-state.ts";

/** Shows how much of an account is declared, and how reliable that figure is. */
export function Coverage({ row }: { row: PostureRow }) {
  const state = coverageStateOf(row);
  switch (state.kind) {
    case "never":
      return <Badge title="No data until its first scan.">Never scanned</Badge>;
    case "unscanned":
      return (
        <Badge tone="critical" title="All scans so far failed, so there are no figures.">
          Scan failed
        </Badge>
      );
    case "pending":
      return (
        <Badge tone="accent" title="Scanned; being compared with declared resources.">
          Computing
        </Badge>
      );
    case "failed":
      return (
        <Badge tone="critical" title="The last comparison failed, so there are no valid figures.">
          Unknown: comparison failed
        </Badge>
      );
    case "unsure":
    case "sure":
      return <Figure row={row} {...state} isSure={state.kind === "sure"} />;
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
        <span className="font-medium whitespace-nowrap tabular-nums">
          {isSure ? percentText(percent) : `≈ ${percentText(percent)}`}
        </span>
        {!isSure && (
          <Badge
            tone="medium"
            title={`${countOf(row.unchecked_count, "resource")} of types that Leeway can’t compare yet`}
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

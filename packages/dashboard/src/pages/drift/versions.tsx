import { LevelBadge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import { differenceText } from "./difference.ts";

/** Lists what a change looked like over time, newest first. */
export function Versions({ versions }: { versions: DriftChangeDetail["versions"] }) {
  return (
    <ol className="border-line flex flex-col gap-3 border-l pl-4">
      {versions.map(({ from, until, risk_level: level, attribute_changes }) => (
        <li key={from} className="flex min-w-0 flex-col items-start gap-1">
          <span className="text-muted text-xs">
            <Time at={from} />
            {until !== undefined && (
              <>
                , until <Time at={until} />
              </>
            )}
          </span>
          <span className="flex flex-wrap items-center gap-2">
            <LevelBadge level={level} />
            <span className="font-mono text-xs break-all">
              {differenceText({ kind: "changed", attribute_changes, risk_flags: [] })}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

import { Some } from "../../ui/some.tsx";
import { Day, Time } from "../../ui/time.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import { DecidedBy } from "./decided-by.tsx";

const DECIDED = { open: "Reopened", acknowledged: "Acknowledged", ignored: "Ignored" } as const;

/** Lists what was decided about a change, newest first. */
export function DecisionHistory({ decisions }: { decisions: NonNullable<DriftChangeDetail["decisions"]> }) {
  return (
    <ol className="border-line flex flex-col gap-3 border-l pl-4">
      <Some items={decisions}>
        {({ status, at, until, reason, by }) => (
          <li key={at} className="min-w-0 wrap-anywhere">
            {DECIDED[status]}
            {until !== undefined && (
              <>
                {" "}
                until <Day at={until} />
              </>
            )}{" "}
            {by ? (
              <>
                by <DecidedBy actor={by} />
              </>
            ) : (
              "by Leeway or by undoing"
            )}
            , <Time at={at} />
            {reason !== undefined && <span className="text-muted block wrap-anywhere">{reason}</span>}
          </li>
        )}
      </Some>
    </ol>
  );
}

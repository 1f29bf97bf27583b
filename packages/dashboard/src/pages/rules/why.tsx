import type { ReactNode } from "react";

import { Day } from "../../ui/time.tsx";

/** Shows the reason of a decision, and who made it. */
export function Why({ reason, children }: { reason: string | undefined; children?: ReactNode }) {
  return (
    <div className="min-w-0">
      <div className="wrap-anywhere">{reason ?? <span className="text-muted">No reason given</span>}</div>
      <div className="text-muted truncate text-xs">{children}</div>
    </div>
  );
}

/** Shows when a decision ends. */
export function Until({ at }: { at: string | undefined }) {
  return at === undefined ? <span className="text-muted">No end</span> : <Day at={at} />;
}

/** Shows that a list is empty, in one line, because other lists follow. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-muted p-4">{children}</p>;
}

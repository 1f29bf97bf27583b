import { useState, type ReactNode } from "react";

import { useRows } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countOf } from "../../ui/number.ts";
import { Failure } from "../../ui/states.tsx";

/** Most resources that the API adopts at once. */
const MAX_ADOPTED = 500;

export interface Writing {
  /** Writes the code of the chosen resources, next to that of a source; empty for the API's choice. */
  write: (sourceId: string) => void;
  isBusy: boolean;
  error: unknown;
}

interface WriteBarProps {
  count: number;
  accountId: string | undefined;
  writing: Writing;
  /** Further buttons. */
  children: ReactNode;
}

/** Shows how much is chosen, and writes its code. Stays in view while the list scrolls. */
export function WriteBar({ count, accountId, writing: { write, isBusy, error }, children }: WriteBarProps) {
  const [sourceId, setSourceId] = useState("");
  const sources = useRows("GET /orgs/{id}/iac-sources", {
    query: { limit: 500, ...(accountId !== undefined && { account_id: accountId }) },
  });
  const isTooMany = count > MAX_ADOPTED;
  return (
    <div
      role="region"
      aria-label="Selection"
      className="border-line bg-surface shadow-lift sticky bottom-4 z-20 flex flex-col gap-3 rounded-xl border p-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p aria-live="polite" className="font-medium">
          {countOf(count, "resource")} selected
          {isTooMany && <span className="text-critical"> (at most {MAX_ADOPTED} at once)</span>}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Select
            bare
            label="Joins the code of"
            title="The new code refers to resources of this source by address"
            value={sourceId}
            options={[
              ["", "Joins the only source"],
              ...sources.rows.map(({ id, name }) => [id, `Joins ${name}`] as const),
            ]}
            onChange={setSourceId}
            className="max-w-60"
          />
          <Button kind="primary" busy={isBusy} disabled={isTooMany} onClick={() => write(sourceId)}>
            Write code
          </Button>
          {children}
        </div>
      </div>
      {error ? <Failure error={error} /> : undefined}
    </div>
  );
}

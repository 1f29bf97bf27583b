import { useState } from "react";

import { Select } from "../../ui/field.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import { useCodeSources } from "./code-sources.ts";
import { OpenRequest } from "./open-request.tsx";

/** Offers to put the code of an undeclared resource into the merge or pull request of a source. */
export function AdoptRequest({ change }: { change: DriftChangeDetail }) {
  const [chosen, setChosen] = useState<string>();
  const sources = useCodeSources(change.cloud_account_id);
  const source = sources.find(({ id }) => id === chosen) ?? sources[0];
  if (!source) return undefined;
  return (
    <div className="flex flex-col items-start gap-3">
      {sources.length > 1 && (
        <Select
          label="Source to join"
          value={source.id}
          options={sources.map(({ id, name }) => [id, name] as const)}
          onChange={setChosen}
        />
      )}
      <OpenRequest
        key={source.id}
        change={change}
        how="adopt"
        host={source.repository?.host}
        joins={source.id}
      />
    </div>
  );
}

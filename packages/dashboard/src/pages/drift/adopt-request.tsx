import { useState } from "react";

import { useRows } from "../../api/hooks.ts";
import { Select } from "../../ui/field.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import { OpenRequest } from "./open-request.tsx";

/** Offers to put the code of an undeclared resource into the merge or pull request of a source. */
export function AdoptRequest({ change }: { change: DriftChangeDetail }) {
  const [chosen, setChosen] = useState<string>();
  const { rows } = useRows("GET /orgs/{id}/iac-sources", { query: { limit: 500 } });
  const sources = rows
    .filter(({ repository, kind = "terraform" }) => repository && kind === "terraform")
    .toSorted((one, other) => Number(isOfAccount(other)) - Number(isOfAccount(one)));
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

  function isOfAccount({ cloud_account_id: account }: { cloud_account_id?: string }): boolean {
    return account === change.cloud_account_id;
  }
}

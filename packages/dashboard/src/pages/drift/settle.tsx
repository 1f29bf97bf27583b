import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import { AdoptOne } from "../adopt/adopt-one.tsx";
import { AdoptRequest } from "./adopt-request.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import { KnownRequest } from "./open-request.tsx";
import { Settled } from "./settled.tsx";
import { WAYS, WAYS_OF, type Way } from "./settlement-words.ts";

/** Offers the ways to end a change in the code, and shows the chosen one. */
export function Settle({ change }: { change: DriftChangeDetail }) {
  const may = useMay("member");
  const ways = WAYS_OF[change.kind];
  if (ways.length === 0)
    return <p className="text-muted">Apply the code to end this change. It isn’t drift yet.</p>;
  if (!may)
    return (
      <p className="text-muted">
        Members can get {ways.includes("adopt") ? "code for this resource" : "a patch or commands"} here. You
        have read access only.
      </p>
    );
  return <Ways change={change} ways={ways} />;
}

function Ways({ change, ways }: { change: DriftChangeDetail; ways: readonly Way[] }) {
  const { fingerprint, live_resource_id: live } = change;
  const [chosen, setChosen] = useState<Way>();
  const settle = useAct("POST /orgs/{id}/drift-changes/{fingerprint}/settlement");
  const choose = (how: Way): void => {
    setChosen(how);
    if (how !== "adopt") settle.mutate({ params: { fingerprint }, body: { how } });
  };
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {chosen === undefined && <KnownRequest key={change.fingerprint} change={change} />}
      <ul className="border-line divide-line divide-y rounded-lg border">
        {ways.map((way) => (
          <li key={way} className="flex items-center justify-between gap-4 px-3 py-2">
            <div className="min-w-0">
              <p className="font-medium">{WAYS[way].title}</p>
              <p className="text-muted text-xs">{WAYS[way].text}</p>
            </div>
            <Button
              aria-pressed={way === chosen}
              busy={settle.isPending && way === chosen}
              onClick={() => choose(way)}
              className="shrink-0 aria-pressed:bg-sunken"
            >
              {WAYS[way].action}
            </Button>
          </li>
        ))}
      </ul>
      {settle.error && <Failure error={settle.error} />}
      {settle.data && settle.data.how === chosen && (
        <Settled key={chosen} change={change} settlement={settle.data} />
      )}
      {chosen === "adopt" && live !== undefined && (
        <>
          <AdoptOne resourceId={live} accountId={change.cloud_account_id} />
          <AdoptRequest change={change} />
        </>
      )}
    </div>
  );
}

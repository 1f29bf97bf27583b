import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRead } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import { ChangeRequest } from "./change-request.tsx";
import { NotSettled } from "./not-settled.tsx";
import { requestName, type Settlement } from "./settlement-words.ts";

const CHANGED = ["GET /orgs/{id}/drift-changes/{fingerprint}"] as const;

interface OpenRequestProps {
  change: DriftChangeDetail;
  how: Settlement["how"];
  /** Code host of the source. */
  host: string | undefined;
  /** Source that an adopted resource joins. */
  joins?: string;
}

/** Offers to put a change into the merge or pull request of a source, and shows the request that has it. */
export function OpenRequest({ change, how, host, joins }: OpenRequestProps) {
  const { fingerprint, source } = change;
  const open = useAct("POST /orgs/{id}/drift-changes/{fingerprint}/settlement", CHANGED);
  const requested = useRequested(fingerprint);
  const name = requestName(host);
  const request =
    open.data?.change_request ?? (requested?.how === how ? requested.change_request : undefined);
  if (request) return <ChangeRequest fingerprint={fingerprint} name={name} request={request} />;
  const body = { how, open_change_request: true, ...(joins !== undefined && { source_id: joins }) };
  return (
    <div className="flex flex-col items-start gap-3">
      {open.data?.refused && <NotSettled source={source} refused={open.data.refused} />}
      <Button
        kind="primary"
        busy={open.isPending}
        onClick={() => open.mutate({ params: { fingerprint }, body })}
      >
        Open a {name}
      </Button>
      {open.error && <Failure error={open.error} />}
    </div>
  );
}

/** Returns the settlement of a change that a merge or pull request has, or had when the page last read it. */
function useRequested(fingerprint: string) {
  const { data } = useRead("GET /orgs/{id}/drift-changes/{fingerprint}/settlement", {
    params: { fingerprint },
  });
  const [last, setLast] = useState(data?.settlement);
  const settlement = data?.settlement ?? last;
  if (settlement !== last) setLast(settlement);
  return settlement;
}

/** Shows the merge or pull request that has a change, if one does. */
export function KnownRequest({ change: { fingerprint, source } }: Pick<OpenRequestProps, "change">) {
  const request = useRequested(fingerprint)?.change_request;
  if (!request) return undefined;
  const name = requestName(source?.repository?.host ?? request.url);
  return <ChangeRequest fingerprint={fingerprint} name={name} request={request} />;
}

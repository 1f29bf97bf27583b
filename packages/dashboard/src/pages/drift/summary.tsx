import { useAct } from "../../api/act.ts";
import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/page.tsx";
import { Denied } from "../denied.tsx";
import { Narrative } from "../narrative.tsx";

/** Shows a snapshot's narrative, or a button that requests one. */
export function DriftSummary({ snapshot: { id, narrative } }: { snapshot: DriftSnapshot }) {
  const hasText = narrative?.text !== undefined;
  return (
    <Card title="Summary">
      <div className="flex flex-col items-start gap-4">
        {hasText && <Narrative narrative={narrative} />}
        {hasText && (
          <p className="text-muted text-xs">
            Written when the snapshot was taken. The figures follow decisions made since then.
          </p>
        )}
        {narrative?.status === "error" && (
          <Notice tone="critical" title="The model failed">
            <p>This didn’t count against your quota. Try again.</p>
          </Notice>
        )}
        {narrative === undefined && <p className="text-muted">No summary yet.</p>}
        {!hasText && <RequestSummary snapshotId={id} isQueued={narrative?.status === "queued"} />}
      </div>
    </Card>
  );
}

function RequestSummary({ snapshotId, isQueued }: { snapshotId: string; isQueued: boolean }) {
  const request = useAct("POST /orgs/{id}/drift-snapshots/{snapshot_id}/narrative", [
    "GET /orgs/{id}/drift-snapshots/{snapshot_id}",
    "GET /orgs/{id}/llm-usage",
  ]);
  const isBusy = isQueued || request.isPending;
  if (!useMay("member")) return undefined;
  return (
    <>
      <Button busy={isBusy} onClick={() => request.mutate({ params: { snapshot_id: snapshotId } })}>
        {isBusy ? "Writing…" : "Write a summary"}
      </Button>
      {request.error && <Denied error={request.error} />}
    </>
  );
}

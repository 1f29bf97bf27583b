import { useAct } from "../../api/hooks.ts";
import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/page.tsx";
import { Denied } from "../denied.tsx";
import { Narrative } from "../narrative.tsx";

/** What a snapshot means in words, or the way to have it told. */
export function Told({ snapshot: { id, narrative } }: { snapshot: DriftSnapshot }) {
  const isTold = narrative?.text !== undefined;
  return (
    <Card title="In words">
      <div className="flex flex-col items-start gap-4">
        {isTold && <Narrative narrative={narrative} />}
        {narrative?.status === "error" && (
          <Notice tone="critical" title="The model failed">
            <p>No slot was used. It can be tried again.</p>
          </Notice>
        )}
        {narrative === undefined && <p className="text-muted">Nobody has asked for it yet.</p>}
        {!isTold && <Tell snapshotId={id} isQueued={narrative?.status === "queued"} />}
      </div>
    </Card>
  );
}

function Tell({ snapshotId, isQueued }: { snapshotId: string; isQueued: boolean }) {
  const tell = useAct("POST /orgs/{id}/drift-snapshots/{snapshot_id}/narrative", [
    "GET /orgs/{id}/drift-snapshots/{snapshot_id}",
    "GET /orgs/{id}/llm-usage",
  ]);
  const isBusy = isQueued || tell.isPending;
  if (!useMay("member")) return undefined;
  return (
    <>
      <Button busy={isBusy} onClick={() => tell.mutate({ params: { snapshot_id: snapshotId } })}>
        {isBusy ? "Being written…" : "Put it into words"}
      </Button>
      {tell.error && <Denied error={tell.error} />}
    </>
  );
}

import { RefreshCw } from "lucide-react";

import { ApiFailure } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import type { LiveResourceDetail } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { nameOf } from "./name.ts";
import { obstacleInWords, reasonInWords } from "./reason.ts";

const REFRESHED = ["GET /orgs/{id}/resources/{resource_id}", "GET /orgs/{id}/resources"] as const;

/** Shows how many of a resource's properties are known, and fetches all of them. */
export function Enrichment({ resource }: { resource: LiveResourceDetail }) {
  const enrich = useAct("POST /orgs/{id}/resources/{resource_id}/enrich", REFRESHED);
  const may = useMay("admin");
  const { enrichment_status: status } = resource;
  const canBeFetched = may && (status === "none" || status === "failed");
  const fetchAll = (): void =>
    enrich.mutate(
      { params: { resource_id: resource.id } },
      { onSuccess: () => say(`Fetched all properties of ${nameOf(resource)}`) },
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Status resource={resource} />
        {canBeFetched && (
          <Button busy={enrich.isPending} onClick={fetchAll}>
            {!enrich.isPending && <RefreshCw aria-hidden="true" className="size-3.5" />}
            {status === "failed" ? "Fetch again" : "Fetch all properties"}
          </Button>
        )}
      </div>
      {enrich.error && <Refusal error={enrich.error} />}
    </div>
  );
}

function Status({ resource }: { resource: LiveResourceDetail }) {
  const { enrichment_status: status, enriched_at: at, enrichment_failure_reason: reason } = resource;
  switch (status) {
    case "none":
      return <Badge>From the listing</Badge>;
    case "n/a":
      return (
        <Badge tone="good" title="Listings of this cloud include all properties">
          Complete as listed
        </Badge>
      );
    case "enriched":
      return (
        <span className="flex items-center gap-2">
          <Badge tone="good">Complete</Badge>
          {at !== undefined && (
            <span className="text-muted text-xs">
              fetched <Time at={at} />
            </span>
          )}
        </span>
      );
    case "failed":
      return (
        <div className="min-w-0">
          <Badge tone="critical">Fetch failed</Badge>
          {reason !== undefined && (
            <p className="text-muted mt-1 text-xs wrap-anywhere">{reasonInWords(reason)}</p>
          )}
        </div>
      );
  }
}

/** Shows the cloud's refusal, or the reason why it couldn't be asked, in its words. Shows other failures as usual. */
function Refusal({ error }: { error: ApiFailure }) {
  const message = wordsOf(error);
  if (message === undefined) return <Failure error={error} />;
  return <Failure error={new ApiFailure(REFUSED, { ...error.body, message })} />;
}

const REFUSED = 422;

function wordsOf({ code, status, body, message }: ApiFailure): string | undefined {
  const reason = body["enrichment_failure_reason"];
  if (code === "enrichment_failed" && typeof reason === "string") return reasonInWords(reason);
  return status === 500 ? obstacleInWords(message) : undefined;
}

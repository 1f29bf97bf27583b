import { useOrgId, useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { inWords } from "../words.ts";
import { OutcomeBadge } from "./outcome.tsx";
import { reasonText, rejectText } from "./reasons.ts";
import type { Delivery, WebhookConfig } from "./types.ts";

const LOOK_MS = 2_000;

interface FirstEventProps {
  config: WebhookConfig;
  /** Whether the webhook was just created, so that this links to its page. */
  isMade: boolean;
}

/** Waits for a webhook's first event, and shows it, or why a call was rejected. */
export function FirstEvent({ config: { id }, isMade }: FirstEventProps) {
  const orgId = useOrgId();
  const params = { config_id: id };
  const look = { params, everyMs: LOOK_MS };
  const config = useRead("GET /orgs/{id}/webhooks/{config_id}", look);
  const deliveries = useRead("GET /orgs/{id}/webhooks/{config_id}/deliveries", {
    ...look,
    query: { limit: 1 },
    when: useMay("admin"),
  });
  const first = deliveries.data?.data[0];
  const hasCome = first !== undefined || config.data?.last_event_at !== undefined;
  return (
    <Card title="First event">
      <div className="flex flex-col gap-4" aria-live="polite">
        {hasCome ? <Arrived delivery={first} /> : <Waiting config={config.data} />}
        {config.error && <Failure error={config.error} />}
        {isMade && (
          <LinkButton
            kind={hasCome ? "primary" : "secondary"}
            to="/orgs/$orgId/webhooks/$configId"
            params={{ orgId, configId: id }}
            className="self-start"
          >
            {hasCome ? "Done" : "Skip for now"}
          </LinkButton>
        )}
      </div>
    </Card>
  );
}

function Waiting({ config }: { config: WebhookConfig | undefined }) {
  const refused = config?.last_reject;
  return (
    <>
      <div className="flex items-center gap-3">
        <span aria-hidden="true" className="bg-accent size-2.5 shrink-0 animate-pulse rounded-full" />
        <p>Waiting for the first event. This page updates automatically.</p>
      </div>
      {refused && (
        <Notice tone="critical" title="An event was rejected">
          <p>{rejectText(refused.reason)}</p>
          <p className="text-muted text-xs">
            <Time at={refused.at} />
          </p>
        </Notice>
      )}
    </>
  );
}

function Arrived({ delivery }: { delivery: Delivery | undefined }) {
  return (
    <>
      <Notice tone="good" title="First event received and verified">
        {delivery?.outcome === "ignored" && <p>This event needs no action, but the connection works.</p>}
      </Notice>
      {delivery && (
        <Facts
          facts={[
            ["Event", delivery.kind === undefined ? "Unknown" : inWords(delivery.kind)],
            ["Received", <Time key="came" at={delivery.received_at} />],
            ["Outcome", <OutcomeBadge key="outcome" outcome={delivery.outcome} />],
            ...(delivery.reason === undefined ? [] : [["Reason", reasonText(delivery.reason)] as const]),
          ]}
        />
      )}
    </>
  );
}

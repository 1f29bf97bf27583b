import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { About } from "./about.tsx";
import { Deliveries } from "./deliveries.tsx";
import { NewToken } from "./new-token.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { SetUp } from "./set-up.tsx";
import { nameOf, type WebhookConfig } from "./types.ts";

const FRESH_MS = 5_000;
const LISTED = ["GET /orgs/{id}/webhooks", "GET /orgs/{id}/webhooks/{config_id}"] as const;

/** Shows one webhook: its sender, its state and its deliveries. */
export function WebhookPage() {
  const orgId = useOrgId();
  const { configId } = useParams({ from: "/orgs/$orgId/webhooks/$configId" });
  const webhook = useRead("GET /orgs/{id}/webhooks/{config_id}", {
    params: { config_id: configId },
    everyMs: FRESH_MS,
  });
  const may = useMay("admin");
  return (
    <Page
      title={webhook.data ? nameOf(webhook.data) : "Webhook"}
      back={
        <BackLink to="/orgs/$orgId/webhooks" params={{ orgId }}>
          Webhooks
        </BackLink>
      }
      {...(webhook.data && may && { actions: <Actions config={webhook.data} /> })}
    >
      <Read read={webhook}>
        {(config) => (
          <>
            <About config={config} />
            {config.last_event_at === undefined && <SetUp config={config} />}
            {may && <Deliveries configId={config.id} />}
          </>
        )}
      </Read>
    </Page>
  );
}

function Actions({ config }: { config: WebhookConfig }) {
  const [open, setOpen] = useState<"rotate" | "token" | "delete">();
  const change = useAct("PATCH /orgs/{id}/webhooks/{config_id}", LISTED);
  const close = (): void => setOpen(undefined);
  const toggle = (): void =>
    change.mutate(
      { params: { config_id: config.id }, body: { enabled: !config.enabled } },
      { onSuccess: ({ enabled }) => say(`${enabled ? "Enabled" : "Disabled"} ${nameOf(config)}`) },
    );
  return (
    <>
      <Button busy={change.isPending} onClick={toggle}>
        {config.enabled ? "Disable" : "Enable"}
      </Button>
      <Button onClick={() => setOpen("rotate")}>Rotate secret</Button>
      {config.source === "vcs" && <Button onClick={() => setOpen("token")}>New token</Button>}
      <Button onClick={() => setOpen("delete")}>Delete</Button>
      {change.error && <Failure error={change.error} />}
      {open === "rotate" && <RotateSecret config={config} onClose={close} />}
      {open === "token" && <NewToken config={config} onClose={close} />}
      {open === "delete" && <Delete config={config} onClose={close} />}
    </>
  );
}

function Delete({ config, onClose }: { config: WebhookConfig; onClose: () => void }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const remove = useAct("DELETE /orgs/{id}/webhooks/{config_id}", ["GET /orgs/{id}/webhooks"]);
  return (
    <Confirm
      title={`Delete ${nameOf(config)}?`}
      confirmLabel="Delete webhook"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { config_id: config.id } });
        say(`Deleted ${nameOf(config)}`);
        await navigate({ to: "/orgs/$orgId/webhooks", params: { orgId } });
      }}
    >
      This deletes its secret, token and deliveries. Remove the webhook at the code host too, or its events
      are rejected. This can’t be undone.
    </Confirm>
  );
}

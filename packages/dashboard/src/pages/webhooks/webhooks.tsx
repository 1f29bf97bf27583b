import { Link } from "@tanstack/react-router";
import { Plus, Webhook } from "lucide-react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { statusOf } from "./status.ts";
import { nameOf, SOURCE_NAMES, type WebhookConfig } from "./types.ts";

const FRESH_MS = 15_000;

const COLUMNS: readonly Column<WebhookConfig>[] = [
  { title: "Webhook", width: "minmax(13rem, 2fr)", cell: (row) => <Name row={row} /> },
  { title: "From", width: "minmax(8rem, 1fr)", cell: (row) => <From row={row} /> },
  { title: "Status", width: "minmax(12rem, 1.2fr)", cell: (row) => <StatusBadge config={row} /> },
  {
    title: "Last event",
    width: "8rem",
    cell: ({ last_event_at: at }) => (at ? <Time at={at} /> : <span className="text-muted">None yet</span>),
  },
];

/** Lists the senders that may send events to the organization. */
export function WebhooksPage() {
  const orgId = useOrgId();
  const webhooks = useRows("GET /orgs/{id}/webhooks", { everyMs: () => FRESH_MS });
  const add = useMay("admin") && (
    <LinkButton kind="primary" to="/orgs/$orgId/webhooks/new" params={{ orgId }}>
      <Plus aria-hidden="true" className="size-4" /> Connect
    </LinkButton>
  );
  return (
    <Page
      title="Webhooks"
      lead="Code hosts and planners that send merge requests, comments and plans to Leeway."
      actions={add}
    >
      <Card padded={false}>
        <Table
          label="Webhooks"
          columns={COLUMNS}
          rows={webhooks}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<Webhook className="size-5" />} title="No webhooks yet" action={add}>
              Connect GitLab or your planner to get comments on what a plan would do.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function Name({ row }: { row: WebhookConfig }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/webhooks/$configId"
        params={{ orgId, configId: row.id }}
        title={nameOf(row)}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {nameOf(row)}
      </Link>
      <div className="text-muted truncate text-xs">{row.repo_path ?? "Any repository"}</div>
    </div>
  );
}

function From({ row }: { row: WebhookConfig }) {
  return (
    <div className="min-w-0">
      <div>{SOURCE_NAMES[row.source]}</div>
      {row.provider_base_url !== undefined && (
        <div className="text-muted truncate text-xs">{URL.parse(row.provider_base_url)?.host}</div>
      )}
    </div>
  );
}

/** Shows the most important fact about a webhook. */
export function StatusBadge({ config }: { config: WebhookConfig }) {
  const { tone, text, title } = statusOf(config);
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}

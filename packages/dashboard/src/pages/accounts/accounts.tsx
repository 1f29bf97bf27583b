import { Link } from "@tanstack/react-router";
import { Cloud, Plus } from "lucide-react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { ProviderMark } from "../../ui/provider.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { LastScan } from "./last-scan.tsx";
import { statusOf } from "./account-status.ts";
import { nameOf, type CloudAccount } from "./types.ts";
import { readingOf } from "./ways.ts";

const FRESH_MS = 15_000;

const COLUMNS: readonly Column<CloudAccount>[] = [
  { title: "Account", width: "minmax(12rem, 2fr)", cell: (account) => <Name account={account} /> },
  { title: "Regions", width: "minmax(6rem, 1fr)", cell: ({ regions }) => <Regions regions={regions} /> },
  { title: "Ingestion", width: "minmax(8.5rem, 1fr)", cell: (account) => readingOf(account) },
  { title: "Credentials", width: "minmax(9rem, 1.25fr)", cell: (account) => <Verified account={account} /> },
  { title: "Last scan", width: "minmax(9rem, 1.25fr)", cell: ({ last_scan_id: id }) => <LastScan id={id} /> },
];

/** Lists the accounts, projects and subscriptions with an inventory. */
export function AccountsPage() {
  const orgId = useOrgId();
  const accounts = useRows("GET /orgs/{id}/cloud-accounts", { everyMs: () => FRESH_MS });
  const may = useMay("admin");
  const connect = may && (
    <LinkButton kind="primary" to="/orgs/$orgId/accounts/new" params={{ orgId }}>
      <Plus aria-hidden="true" className="size-4" /> Connect an account
    </LinkButton>
  );
  return (
    <Page
      title="Accounts"
      lead="Connected cloud accounts, projects and subscriptions, and how Leeway reads them."
      actions={connect}
    >
      <Card padded={false}>
        <Table
          label="Accounts"
          columns={COLUMNS}
          rows={accounts}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<Cloud className="size-5" />} title="No cloud accounts yet" action={connect}>
              {may
                ? "Connect an account to see its resources, which of them are declared as code, and what has drifted."
                : "Ask an owner or admin to connect one."}
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function Name({ account }: { account: CloudAccount }) {
  const orgId = useOrgId();
  const { id, provider, external_id: externalId } = account;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ProviderMark provider={provider} />
      <div className="min-w-0">
        <Link
          to="/orgs/$orgId/accounts/$accountId"
          params={{ orgId, accountId: id }}
          title={nameOf(account)}
          data-row
          className="block truncate font-medium hover:underline"
        >
          {nameOf(account)}
        </Link>
        <div className="text-muted truncate text-xs">{externalId}</div>
      </div>
    </div>
  );
}

function Regions({ regions }: { regions: readonly string[] }) {
  return regions.length === 0 ? (
    <span className="text-muted">All</span>
  ) : (
    <span title={regions.join(", ")}>{regions.join(", ")}</span>
  );
}

function Verified({ account }: { account: CloudAccount }) {
  const { tone, text, title } = statusOf(account);
  const at = account.last_verification?.verified_at;
  if (account.status === "push") return <span className="text-muted">None</span>;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 narrow:justify-end">
      <Badge tone={tone} title={title}>
        {text}
      </Badge>
      {at !== undefined && (
        <span className="text-muted text-xs">
          <Time at={at} />
        </span>
      )}
    </div>
  );
}

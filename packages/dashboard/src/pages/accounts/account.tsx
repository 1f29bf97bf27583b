import { useParams } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Read } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { DriftByType } from "../drift-by-type.tsx";
import { Charts } from "../posture/charts.tsx";
import { ScansCard, SourcesCard } from "./activity.tsx";
import { AccountActions } from "./account-actions.tsx";
import { CredentialsCard } from "./credentials-card.tsx";
import { LastScan } from "./last-scan.tsx";
import { PostureCard } from "./overview.tsx";
import { nameOf, type CloudAccount } from "./types.ts";
import { idLabel } from "./id-label.ts";

const FRESH_MS = 5_000;

/** Shows one account, how it is read, and whether that works. */
export function AccountPage() {
  const orgId = useOrgId();
  const { accountId } = useParams({ from: "/orgs/$orgId/accounts/$accountId" });
  const account = useRead("GET /orgs/{id}/cloud-accounts/{account_id}", {
    params: { account_id: accountId },
    everyMs: FRESH_MS,
  });
  const may = useMay("admin");
  return (
    <Page
      title={account.data ? nameOf(account.data) : "Account"}
      back={
        <BackLink to="/orgs/$orgId/accounts" params={{ orgId }}>
          Accounts
        </BackLink>
      }
      {...(account.data && may && { actions: <AccountActions account={account.data} /> })}
    >
      <Read read={account}>
        {(account) => (
          <>
            <Charts accountId={account.id} />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <div className="flex min-w-0 flex-col gap-4">
                <DriftByType accountId={account.id} />
                <ScansCard accountId={account.id} />
                <CredentialsCard account={account} />
              </div>
              <div className="flex min-w-0 flex-col gap-4">
                <PostureCard accountId={account.id} />
                <SourcesCard accountId={account.id} />
                <About account={account} />
              </div>
            </div>
          </>
        )}
      </Read>
    </Page>
  );
}

function About({ account }: { account: CloudAccount }) {
  const { provider, external_id: externalId, name, regions, last_scan_id: scan, created_at: at } = account;
  return (
    <Card title="About">
      <Facts
        facts={[
          ["Provider", providerName(provider)],
          [idLabel(provider), externalId],
          ...(name === undefined ? [] : [["Name", name] as const]),
          ["Regions", regions.length === 0 ? "All" : regions.join(", ")],
          ["Last scan", <LastScan key="scan" id={scan} />],
          ["Added", <Time key="added" at={at} />],
        ]}
      />
    </Card>
  );
}

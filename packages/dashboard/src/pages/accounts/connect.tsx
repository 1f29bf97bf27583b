import { useParams, useSearch } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Page } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { Steps } from "../../ui/steps.tsx";
import { Access } from "./access.tsx";
import { AdminsOnly } from "./admins-only.tsx";
import { FirstScan } from "./first-scan.tsx";
import { CONNECT_STEPS } from "./new-account.tsx";
import { nameOf, type CloudAccount } from "./types.ts";
import { useVerify, type Verify } from "./use-verify.ts";
import { VerifyStep } from "./verify-step.tsx";
import { connectSearch } from "./search.ts";

const PATH = "/orgs/$orgId/accounts/$accountId/connect";
const FRESH_MS = 3_000;

/** Guides a new account to its first scan. */
export function ConnectPage() {
  const orgId = useOrgId();
  const { accountId } = useParams({ from: PATH });
  const { scan } = useSearch({ from: PATH, select: connectSearch });
  const account = useRead("GET /orgs/{id}/cloud-accounts/{account_id}", {
    params: { account_id: accountId },
    everyMs: FRESH_MS,
  });
  const may = useMay("admin");
  const verify = useVerify(accountId);
  return (
    <Page
      title={account.data ? `Connect ${nameOf(account.data)}` : "Connect an account"}
      back={
        <BackLink to="/orgs/$orgId/accounts/$accountId" params={{ orgId, accountId }}>
          {account.data ? nameOf(account.data) : "Account"}
        </BackLink>
      }
    >
      <Steps steps={CONNECT_STEPS} current={scan === undefined ? 1 : 2} />
      {may ? (
        <Read read={account}>{(account) => <Step account={account} verify={verify} />}</Read>
      ) : (
        <AdminsOnly />
      )}
    </Page>
  );
}

/** Shows the next step. It follows from the account, unless the URL names one. */
function Step({ account, verify }: { account: CloudAccount; verify: Verify }) {
  const { step, scan } = useSearch({ from: PATH, select: connectSearch });
  if (scan !== undefined) return <FirstScan account={account} scanId={scan} />;
  if (step === "access" || !account.credentials) return <Access account={account} onGiven={verify.start} />;
  return <VerifyStep account={account} verify={verify} />;
}

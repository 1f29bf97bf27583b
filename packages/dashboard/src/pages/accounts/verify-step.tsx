import { useNavigate } from "@tanstack/react-router";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card } from "../../ui/page.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Failure } from "../../ui/states.tsx";
import type { CloudAccount } from "./types.ts";
import type { Verify } from "./use-verify.ts";
import { VerificationResult } from "./verification-result.tsx";

const CONNECT = "/orgs/$orgId/accounts/$accountId/connect";

interface VerifyStepProps {
  account: CloudAccount;
  verify: Verify;
}

/** Shows what an account's credentials can do, and the next step. */
export function VerifyStep({ account, verify }: VerifyStepProps) {
  const last = account.last_verification;
  return (
    <Card title="Verify the credentials">
      <div className="flex flex-col gap-5" aria-live="polite">
        {verify.isBusy && (
          <p className="flex items-center gap-3">
            <Spinner /> Checking at {providerName(account.provider)} everything that a scan needs…
          </p>
        )}
        {!verify.isBusy && last && <VerificationResult verification={last} identity={verify.identity} />}
        {!verify.isBusy && !last && !verify.error && <p>The credentials are saved but not verified yet.</p>}
        {verify.error && <Failure error={verify.error} />}
        <Ahead account={account} verify={verify} />
      </div>
    </Card>
  );
}

function Ahead({ account, verify }: VerifyStepProps) {
  const orgId = useOrgId();
  const { id: accountId, status, last_scan_id: lastScan } = account;
  const scan = useScanNow(accountId);
  const isGood = status === "ok";
  const verifyAgain = (
    <Button kind={isGood ? "secondary" : "primary"} busy={verify.isBusy} onClick={verify.start}>
      {status === "unverified" ? "Verify" : "Verify again"}
    </Button>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {isGood && (
          <Button kind="primary" busy={scan.isBusy} disabled={verify.isBusy} onClick={scan.start}>
            {lastScan === undefined ? "Start the first scan" : "Start a scan"}
          </Button>
        )}
        {verifyAgain}
        <LinkButton to={CONNECT} params={{ orgId, accountId }} search={{ step: "access" }}>
          Use other credentials
        </LinkButton>
        {status === "failing" && (
          <Button busy={scan.isBusy} disabled={verify.isBusy} onClick={scan.start}>
            Scan anyway
          </Button>
        )}
      </div>
      {scan.error && <Failure error={scan.error} />}
    </>
  );
}

/** Starts a scan of an account and opens it. */
function useScanNow(accountId: string) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useAct("POST /orgs/{id}/scans", [
    "GET /orgs/{id}/scans",
    "GET /orgs/{id}/cloud-accounts",
  ]);
  const start = (): void =>
    mutate(
      { body: { account_id: accountId, kind: "full" } },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: CONNECT, params: { orgId, accountId }, search: { scan: id }, replace: true }),
      },
    );
  return { start, isBusy: isPending, error };
}

import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { ListingCommands } from "./push-listing.tsx";
import { statusOf } from "./account-status.ts";
import { nameOf, SHOWS_ACCOUNTS, type CloudAccount } from "./types.ts";
import { useVerify } from "./use-verify.ts";
import { VerificationResult } from "./verification-result.tsx";
import { readingOf, waysInto } from "./ways.ts";

const CONNECT = "/orgs/$orgId/accounts/$accountId/connect";

/** Shows how an account is read, and whether that works. */
export function CredentialsCard({ account }: { account: CloudAccount }) {
  return account.credentials ? <Credentials account={account} /> : <Pushed account={account} />;
}

function Pushed({ account }: { account: CloudAccount }) {
  const orgId = useOrgId();
  const may = useMay("admin");
  const canHaveSome = waysInto(account.provider).length > 0;
  return (
    <Card
      title="Pushed listings"
      actions={
        may &&
        canHaveSome && (
          <LinkButton
            kind={account.last_scan_id === undefined ? "primary" : "secondary"}
            to={CONNECT}
            params={{ orgId, accountId: account.id }}
          >
            Add credentials
          </LinkButton>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          {canHaveSome
            ? "This account has no credentials, so its listings must be pushed. With credentials, Leeway scans it automatically."
            : "Listings of this account are pushed."}
        </p>
        {may && <ListingCommands account={account} />}
      </div>
    </Card>
  );
}

function Credentials({ account }: { account: CloudAccount }) {
  const may = useMay("admin");
  const verify = useVerify(account.id);
  const { tone, text, title } = statusOf(account);
  const last = account.last_verification;
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          {readingOf(account)}
          <Badge tone={tone} title={title}>
            {text}
          </Badge>
        </span>
      }
      actions={may && <CredentialActions account={account} verify={verify} />}
    >
      <div className="flex flex-col gap-4" aria-live="polite">
        {last ? (
          <VerificationResult verification={last} identity={verify.identity} />
        ) : (
          <p className="text-muted">These credentials haven’t been verified yet.</p>
        )}
        {verify.error && <Failure error={verify.error} />}
      </div>
    </Card>
  );
}

interface CredentialActionsProps {
  account: CloudAccount;
  verify: ReturnType<typeof useVerify>;
}

function CredentialActions({ account, verify }: CredentialActionsProps) {
  const orgId = useOrgId();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <Button busy={verify.isBusy} onClick={verify.start}>
        {account.last_verification ? "Verify again" : "Verify"}
      </Button>
      <LinkButton to={CONNECT} params={{ orgId, accountId: account.id }} search={{ step: "access" }}>
        Replace
      </LinkButton>
      <Button onClick={() => setRemoving(true)}>Remove</Button>
      {isRemoving && <Remove account={account} onClose={() => setRemoving(false)} />}
    </>
  );
}

function Remove({ account, onClose }: { account: CloudAccount; onClose: () => void }) {
  const change = useAct("PATCH /orgs/{id}/cloud-accounts/{account_id}", SHOWS_ACCOUNTS);
  return (
    <Confirm
      title={`Remove the credentials of ${nameOf(account)}?`}
      confirmLabel="Remove credentials"
      onClose={onClose}
      act={async () => {
        await change.mutateAsync({ params: { account_id: account.id }, body: { credentials: null } });
        say(`Removed the credentials of ${nameOf(account)}`);
      }}
    >
      Leeway deletes the credentials. It stops scanning this account and reading states with them. Known
      resources are kept, and listings can still be pushed.
    </Confirm>
  );
}

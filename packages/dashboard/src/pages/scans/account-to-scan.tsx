import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Select } from "../../ui/field.tsx";
import { useAccounts } from "../accounts.ts";

/** Returns the account to scan: the chosen one, or by default the first that can be scanned. */
export function useAccountToScan() {
  const [picked, pick] = useState("");
  const { options, isRead } = useAccounts();
  const [first = ""] = options.find(([id]) => isRead(id)) ?? options[0] ?? [];
  return { accountId: picked || first, pick };
}

interface AccountToScanProps {
  accountId: string;
  onPick: (accountId: string) => void;
  /** Whether the scan only compares data that was already read. */
  isReadBefore?: boolean;
}

/** Offers all accounts, and explains why one can't be scanned. */
export function AccountToScan({ accountId, onPick, isReadBefore = false }: AccountToScanProps) {
  const { options, isNone, isRead } = useAccounts();
  const isPushed = accountId !== "" && !isRead(accountId) && !isReadBefore;
  return (
    <Select
      label="Account"
      value={accountId}
      options={options}
      onChange={onPick}
      hint={isNone ? NO_ACCOUNT : isPushed ? <NoCredentials accountId={accountId} /> : undefined}
    />
  );
}

const NO_ACCOUNT = "No cloud accounts yet. Connect one under Accounts.";

function NoCredentials({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  return (
    <>
      This account has no credentials, so it can’t be scanned. Push its listings, or{" "}
      <Link
        to="/orgs/$orgId/accounts/$accountId"
        params={{ orgId, accountId }}
        className="text-accent underline underline-offset-4"
      >
        add credentials
      </Link>
      .
    </>
  );
}

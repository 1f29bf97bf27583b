import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Select } from "../../ui/field.tsx";
import { useAccounts } from "../accounts.ts";

/** Which account is to be scanned: before somebody has chosen one, the first that can be. */
export function useAccountToScan() {
  const [picked, pick] = useState("");
  const { options, isRead } = useAccounts();
  const [first = ""] = options.find(([id]) => isRead(id)) ?? options[0] ?? [];
  return { accountId: picked || first, pick };
}

interface AccountToScanProps {
  accountId: string;
  onPick: (accountId: string) => void;
  /** Whether what is there is compared as it is known. */
  isReadBefore?: boolean;
}

/** Offers all accounts, and says what keeps one from being scanned. */
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

const NO_ACCOUNT = "There is no cloud account yet: connect one under Accounts";

function NoCredentials({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  return (
    <>
      It has no credentials, so that it can’t be scanned: push its listings, or change{" "}
      <Link
        to="/orgs/$orgId/accounts/$accountId"
        params={{ orgId, accountId }}
        className="text-accent underline underline-offset-4"
      >
        how it is read
      </Link>
      .
    </>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Code } from "../../ui/code.tsx";
import { AdminsKey } from "../admins-key.tsx";
import { listingCommands } from "../push-commands.ts";
import type { CloudAccount } from "./types.ts";

/** What to paste to push what runs in an account; goes on by itself when the listing comes. */
export function PushListing({ account }: { account: CloudAccount }) {
  useFirstScan(account);
  return (
    <div className="flex flex-col gap-4 pt-2">
      <p className="text-muted max-w-3xl">
        Leeway needs no credentials for that. A listing replaces what is known of the account: what it doesn’t
        name is gone.
      </p>
      <ListingCommands account={account} />
      <div className="flex items-center gap-3">
        <span aria-hidden="true" className="bg-accent size-2.5 shrink-0 animate-pulse rounded-full" />
        <p>Waiting for a listing. It shows here by itself, as soon as it comes.</p>
      </div>
    </div>
  );
}

/** The commands alone. */
export function ListingCommands({ account }: { account: CloudAccount }) {
  const orgId = useOrgId();
  const url = `${location.origin}/api/v2/orgs/${orgId}/cloud-accounts/${account.id}/listing`;
  return (
    <>
      {listingCommands(account, url).map(({ title, code }) => (
        <Code key={title} title={title} code={code} />
      ))}
      <AdminsKey />
    </>
  );
}

/** Leads to a scan that wasn't there when this was first shown. */
function useFirstScan({ id: accountId, last_scan_id: last }: CloudAccount): void {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [before] = useState(last);
  useEffect(() => {
    if (last === undefined || last === before) return;
    void navigate({
      to: "/orgs/$orgId/accounts/$accountId/connect",
      params: { orgId, accountId },
      search: { scan: last },
      replace: true,
    });
  }, [accountId, before, last, navigate, orgId]);
}

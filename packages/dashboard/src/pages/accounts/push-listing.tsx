import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Code } from "../../ui/code.tsx";
import { AdminsKey } from "../admins-key.tsx";
import { listingCommands } from "../push-commands.ts";
import type { CloudAccount } from "./types.ts";

/** Shows the commands that push an account's listing; continues when the listing arrives. */
export function PushListing({ account }: { account: CloudAccount }) {
  useFirstScan(account);
  return (
    <div className="flex flex-col gap-4 pt-2">
      <p className="text-muted max-w-3xl">
        Pushing needs no cloud credentials. Each listing replaces the previous one: a resource that isn’t in
        it counts as deleted.
      </p>
      <ListingCommands account={account} />
      <div className="flex items-center gap-3">
        <span aria-hidden="true" className="bg-accent size-2.5 shrink-0 animate-pulse rounded-full" />
        <p>Waiting for a listing. This page updates automatically.</p>
      </div>
    </div>
  );
}

/** Shows only the commands. */
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

/** Opens a scan that is newer than the first render. */
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

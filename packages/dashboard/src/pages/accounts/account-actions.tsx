import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { EditAccount } from "./edit-account.tsx";
import { nameOf, type CloudAccount } from "./types.ts";

/** Shows the actions on an account. */
export function AccountActions({ account }: { account: CloudAccount }) {
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      {account.credentials && <ScanNow accountId={account.id} />}
      <Button onClick={() => setOpen("edit")}>Edit</Button>
      <Button onClick={() => setOpen("delete")}>Delete</Button>
      {open === "edit" && <EditAccount account={account} onClose={close} />}
      {open === "delete" && <Delete account={account} onClose={close} />}
    </>
  );
}

function ScanNow({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const scan = useAct("POST /orgs/{id}/scans", ["GET /orgs/{id}/scans"]);
  const start = (): void =>
    scan.mutate(
      { body: { account_id: accountId, kind: "full" } },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: "/orgs/$orgId/scans/$scanId", params: { orgId, scanId: id } }),
      },
    );
  return (
    <>
      {scan.error && <Failure error={scan.error} />}
      <Button kind="primary" busy={scan.isPending} onClick={start}>
        <Play aria-hidden="true" className="size-4" /> Scan now
      </Button>
    </>
  );
}

function Delete({ account, onClose }: { account: CloudAccount; onClose: () => void }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const remove = useAct("DELETE /orgs/{id}/cloud-accounts/{account_id}", [
    "GET /orgs/{id}/cloud-accounts",
    "GET /orgs/{id}/posture",
  ]);
  return (
    <Confirm
      title={`Delete ${nameOf(account)}?`}
      confirmLabel="Delete account"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { account_id: account.id } });
        say(`Deleted ${nameOf(account)}`);
        await navigate({ to: "/orgs/$orgId/accounts", params: { orgId } });
      }}
    >
      This deletes its resources, scans, schedules, snapshots, drift decisions and credentials. Sources are
      kept, without an account. Nothing changes in the cloud: revoke Leeway’s access there. This can’t be
      undone.
    </Confirm>
  );
}

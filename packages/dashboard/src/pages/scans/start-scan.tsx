import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { useAct, useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { AccountToScan, useAccountToScan } from "./account-to-scan.tsx";

const KINDS = [
  ["full", "What runs, and what that means"],
  ["inventory", "Only what runs"],
  ["drift", "Only what it means: nothing is read again"],
] as const;

/** Starts a scan of one account, and leads to it. */
export function StartScan({ onClose }: { onClose: () => void }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { accountId, pick } = useAccountToScan();
  const start = useAct("POST /orgs/{id}/scans", ["GET /orgs/{id}/scans"]);
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>("full");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start.mutate(
      { body: { account_id: accountId, kind } },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: "/orgs/$orgId/scans/$scanId", params: { orgId, scanId: id } }),
      },
    );
  };
  return (
    <Dialog
      title="Scan now"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form="start-scan"
            busy={start.isPending}
            disabled={accountId === ""}
          >
            Start the scan
          </Button>
        </>
      }
    >
      <form id="start-scan" onSubmit={submit} className="flex flex-col gap-4">
        <AccountToScan accountId={accountId} onPick={pick} isReadBefore={kind === "drift"} />
        <Select label="What to find out" value={kind} options={KINDS} onChange={setKind} />
      </form>
      {start.error && <Failure error={start.error} />}
    </Dialog>
  );
}

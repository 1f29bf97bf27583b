import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { AccountToScan, useAccountToScan } from "./account-to-scan.tsx";

const KINDS = [
  ["full", "Full: list resources and find drift"],
  ["inventory", "Inventory only: list resources"],
  ["drift", "Drift only: compare the last listing"],
] as const;

/** Starts a scan of one account and opens it. */
export function StartScan({ onClose }: { onClose: () => void }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { accountId, pick } = useAccountToScan();
  const start = useAct("POST /orgs/{id}/scans", ["GET /orgs/{id}/scans"]);
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>("full");
  const submit = (): void => {
    start.mutate(
      { body: { account_id: accountId, kind } },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: "/orgs/$orgId/scans/$scanId", params: { orgId, scanId: id } }),
      },
    );
  };
  return (
    <FormDialog
      title="Scan now"
      confirmLabel="Start scan"
      busy={start.isPending}
      error={start.error}
      disabled={accountId === ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountToScan accountId={accountId} onPick={pick} isReadBefore={kind === "drift"} />
      <Select label="Kind" value={kind} options={KINDS} onChange={setKind} />
    </FormDialog>
  );
}

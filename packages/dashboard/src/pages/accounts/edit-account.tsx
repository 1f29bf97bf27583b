import { useState, type FormEvent } from "react";

import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { isToldWhole, useRefusedFocus } from "../refusals.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { regionsOf, SHOWS_ACCOUNTS, type CloudAccount } from "./types.ts";

/** Changes an account's name and regions. */
export function EditAccount({ account, onClose }: { account: CloudAccount; onClose: () => void }) {
  const change = useAct("PATCH /orgs/{id}/cloud-accounts/{account_id}", SHOWS_ACCOUNTS);
  const [settings, setSettings] = useState({
    name: account.name ?? "",
    regions: account.regions.join(", "),
  });
  const form = useRefusedFocus(change.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const name = settings.name.trim();
    change.mutate(
      {
        params: { account_id: account.id },
        body: { ...(name !== "" && { name }), regions: regionsOf(settings.regions) },
      },
      {
        onSuccess: () => {
          say("The account is changed");
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title="Edit the account"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="edit-account" busy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="edit-account" ref={form} onSubmit={submit} className="flex flex-col gap-4">
        <SettingsFields
          settings={settings}
          onChange={setSettings}
          error={change.error}
          isNamed={account.name !== undefined}
        />
      </form>
      {change.error && isToldWhole(change.error, ["name", "regions"]) && <Failure error={change.error} />}
    </Dialog>
  );
}

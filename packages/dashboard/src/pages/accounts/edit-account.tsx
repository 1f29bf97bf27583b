import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toast.tsx";
import { needsGeneralMessage, useRefusedFocus } from "../refusals.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { regionsOf, SHOWS_ACCOUNTS, type CloudAccount } from "./types.ts";

/** Edits an account's name and regions. */
export function EditAccount({ account, onClose }: { account: CloudAccount; onClose: () => void }) {
  const change = useAct("PATCH /orgs/{id}/cloud-accounts/{account_id}", SHOWS_ACCOUNTS);
  const [settings, setSettings] = useState({
    name: account.name ?? "",
    regions: account.regions.join(", "),
  });
  const form = useRefusedFocus(change.error);
  const submit = (): void => {
    const name = settings.name.trim();
    change.mutate(
      {
        params: { account_id: account.id },
        body: { ...(name !== "" && { name }), regions: regionsOf(settings.regions) },
      },
      {
        onSuccess: () => {
          say(`Saved ${name === "" ? account.external_id : name}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Edit account"
      confirmLabel="Save"
      busy={change.isPending}
      error={
        change.error && needsGeneralMessage(change.error, ["name", "regions"]) ? change.error : undefined
      }
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <SettingsFields
        provider={account.provider}
        settings={settings}
        onChange={setSettings}
        error={change.error}
        isNamed={account.name !== undefined}
      />
    </FormDialog>
  );
}

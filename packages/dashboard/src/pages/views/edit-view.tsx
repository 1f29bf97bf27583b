import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useMay } from "../../session/organizations.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Check, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import type { View } from "./view.ts";

const REFRESHED = ["GET /orgs/{id}/views"] as const;

interface EditViewProps {
  page: View["page"];
  /** Present filter of the page. */
  filter: Record<string, unknown>;
  /** View to change; absent for a new one. */
  view?: View;
  onClose: () => void;
}

/** Saves the present filter as a view, or changes a view. */
export function EditView({ page, filter, view, onClose }: EditViewProps) {
  const make = useAct("POST /orgs/{id}/views", REFRESHED);
  const change = useAct("PATCH /orgs/{id}/views/{view_id}", REFRESHED);
  const mayShare = useMay("member");
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const [replaces, setReplaces] = useState(false);
  const onSuccess = (): void => {
    say(`Saved ${name}`);
    onClose();
  };
  const save = (): void => {
    if (!view) return make.mutate({ body: { name, page, filter, shared } }, { onSuccess });
    const body = { name, ...(shared !== view.shared && { shared }), ...(replaces && { filter }) };
    change.mutate({ params: { view_id: view.id }, body }, { onSuccess });
  };
  return (
    <FormDialog
      title={view ? `Edit ${view.name}` : "Save this filter"}
      confirmLabel="Save"
      busy={make.isPending || change.isPending}
      error={make.error ?? change.error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={80}
        placeholder="Production databases"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {mayShare && (
        <Check
          label="Share with the organization; notification channels can then filter by it"
          checked={shared}
          onChange={setShared}
        />
      )}
      {view && (
        <Check
          label="Replace its filter with the one on this page"
          checked={replaces}
          onChange={setReplaces}
        />
      )}
    </FormDialog>
  );
}

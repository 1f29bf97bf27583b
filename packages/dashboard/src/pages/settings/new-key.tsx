import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { SecretOnce } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";

const ROLES = [
  ["member", "Member: read, submit plans"],
  ["viewer", "Viewer: read only"],
  ["admin", "Admin: change everything except keys and members"],
] as const;
const LIVES = [
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["", "Never"],
] as const;
type Role = (typeof ROLES)[number][0];

/** Creates a key and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const make = useAct("POST /orgs/{id}/api-keys", ["GET /orgs/{id}/api-keys"]);
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [days, setDays] = useState("90");
  const [repositories, setRepositories] = useState("");
  if (make.data) {
    return (
      <Dialog title="Your new key" isHeld onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
        <SecretOnce secret={make.data.key} what="the key" />
      </Dialog>
    );
  }
  const submit = (): void => {
    const expiry =
      days === "" ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() };
    const named = repositories.split(/[\s,]+/).filter((one) => one !== "");
    make.mutate({ body: { name, role, ...(named.length > 0 && { repositories: named }), ...expiry } });
  };
  return (
    <FormDialog
      title="New API key"
      confirmLabel="Create key"
      busy={make.isPending}
      error={make.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="For example, the pipeline that uses it"
        placeholder="ci"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Select label="Role" value={role} options={ROLES} onChange={setRole} />
      <TextField
        label="Repositories"
        hint="Repositories whose plans it may submit. Leave empty for all."
        placeholder="acme/infra, acme/network-*"
        value={repositories}
        onChange={({ target }) => setRepositories(target.value)}
      />
      <Select label="Expires" value={days} options={LIVES} onChange={setDays} />
    </FormDialog>
  );
}

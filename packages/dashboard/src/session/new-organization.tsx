import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { useAct } from "../api/act.ts";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Failure } from "../ui/states.tsx";

const LONGEST_NAME = 100;

/** Creates an organization owned by the person, and opens it. */
export function NewOrganization() {
  const { make, busy, error } = useMake();
  const [name, setName] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make(name);
  };
  return (
    <form onSubmit={submit} className="flex w-72 flex-col gap-3 text-left">
      <TextField
        label="Or create your own"
        placeholder="Organization name"
        required
        maxLength={LONGEST_NAME}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button kind="primary" type="submit" busy={busy}>
        Create organization
      </Button>
      {error && <Failure error={error} />}
    </form>
  );
}

/** Creates an organization in a dialog, while another is open. */
export function AnotherOrganization({ onClose }: { onClose: () => void }) {
  const { make, busy, error } = useMake(onClose);
  const [name, setName] = useState("");
  return (
    <FormDialog
      title="New organization"
      confirmLabel="Create organization"
      busy={busy}
      error={error}
      onSubmit={() => make(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={LONGEST_NAME}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}

function useMake(onMade?: () => void) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useAct("POST /orgs", ["GET /orgs"]);
  const make = (name: string): void =>
    mutate(
      { body: { name } },
      {
        onSuccess: ({ id }) => {
          onMade?.();
          void navigate({ to: "/orgs/$orgId/posture", params: { orgId: id } });
        },
      },
    );
  return { make, busy: isPending, error };
}

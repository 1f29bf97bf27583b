import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";

/** Deletes the organization after the person types its `name`. */
export function DeleteOrganization({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        Delete organization
      </Button>
      {isOpen && <Asked name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function Asked({ name, onClose }: { name: string; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useAct("DELETE /orgs/{id}", ["GET /orgs"]);
  const [typed, setTyped] = useState("");
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirmLabel="Delete organization"
      disabled={typed.trim() !== name.trim()}
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({});
        say(`Deleted ${name}`);
        await navigate({ to: "/" });
      }}
    >
      <p className="mb-4">
        This deletes its accounts, sources, scans, drift, plans, channels and members. Its API keys and
        webhooks stop working. Nothing changes in your clouds or at your code hosts. This can’t be undone.
      </p>
      <TextField
        label="Type the organization’s name to confirm"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </Confirm>
  );
}

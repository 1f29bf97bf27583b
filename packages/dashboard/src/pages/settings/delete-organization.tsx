import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";

/** The end of the organization called `name`, for whoever can write that name. */
export function DeleteOrganization({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        Delete the organization
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
      deed="Delete the organization"
      disabled={typed.trim() !== name.trim()}
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({});
        say(`${name} is deleted`);
        await navigate({ to: "/" });
      }}
    >
      <p className="mb-4">
        Nobody sees it from then on, and its keys and webhooks are dead. With it go its accounts, sources,
        scans, drift, plans, channels and members. In the clouds and at the code hosts nothing changes. This
        can’t be undone.
      </p>
      <TextField
        label="Its name, to be sure"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </Confirm>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toast.tsx";

/** Lets a person leave the organization. */
export function Leave() {
  const isPerson = useMay("viewer", "person");
  const leave = useAct("DELETE /orgs/{id}/members/me", ["GET /orgs"]);
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  if (!isPerson) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <LogOut aria-hidden="true" className="size-4" /> Leave
      </Button>
      {isOpen && (
        <Confirm
          title="Leave this organization?"
          confirmLabel="Leave"
          onClose={() => setOpen(false)}
          act={async () => {
            await leave.mutateAsync({});
            say("You left the organization");
            await navigate({ to: "/" });
          }}
        >
          You need a new invitation to come back. API keys that you created keep working, so revoke them first
          if necessary.
        </Confirm>
      )}
    </>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { say } from "../../ui/toast.tsx";

/** The way out of the organization, for people. */
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
          deed="Leave"
          onClose={() => setOpen(false)}
          act={async () => {
            await leave.mutateAsync({});
            say("You are no member any more");
            await navigate({ to: "/" });
          }}
        >
          Only another invitation lets you in again. Keys that you made go on working: revoke them before, if
          need be.
        </Confirm>
      )}
    </>
  );
}

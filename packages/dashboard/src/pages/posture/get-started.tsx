import { CloudOff } from "lucide-react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Empty } from "../../ui/states.tsx";

/** What to do where there is no account yet. */
export function GetStarted() {
  const orgId = useOrgId();
  const may = useMay("admin");
  return (
    <Empty
      icon={<CloudOff className="size-5" />}
      title="No cloud accounts yet"
      action={
        may && (
          <LinkButton kind="primary" to="/orgs/$orgId/accounts/new" params={{ orgId }}>
            Connect an account
          </LinkButton>
        )
      }
    >
      {may
        ? "Connect one: Leeway reads it by itself, with the least rights, or takes the listings that you push."
        : "An owner or admin can connect one."}
    </Empty>
  );
}

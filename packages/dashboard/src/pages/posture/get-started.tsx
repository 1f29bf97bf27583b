import { CloudOff } from "lucide-react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Empty } from "../../ui/states.tsx";

/** Shows the first steps while there are no accounts. */
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
        ? "Connect an account: Leeway scans it with read-only access, or you push its listings."
        : "Ask an owner or admin to connect one."}
    </Empty>
  );
}

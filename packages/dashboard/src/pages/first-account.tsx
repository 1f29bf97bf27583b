import { Link } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

/** Leads to how a first account is made, where there is nothing to see without one. */
export function FirstAccount() {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/posture"
      params={{ orgId }}
      className="text-accent underline-offset-4 hover:underline"
    >
      Make a first cloud account
    </Link>
  );
}

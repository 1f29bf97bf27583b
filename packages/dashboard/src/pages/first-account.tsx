import { Link } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

/** Leads to where a first account is connected, where there is nothing to see without one. */
export function FirstAccount() {
  const orgId = useOrgId();
  return (
    <Link to="/orgs/$orgId/accounts" params={{ orgId }} className="text-accent underline underline-offset-4">
      Connect a first cloud account
    </Link>
  );
}

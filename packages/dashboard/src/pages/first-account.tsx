import { Link } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

/** Links to connecting a first account, on pages that are empty without one. */
export function FirstAccount() {
  const orgId = useOrgId();
  return (
    <Link to="/orgs/$orgId/accounts" params={{ orgId }} className="text-accent underline underline-offset-4">
      Connect your first cloud account
    </Link>
  );
}

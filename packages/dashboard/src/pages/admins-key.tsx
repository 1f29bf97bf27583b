import { Link } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

/** Tells whose key pushes take, and leads to where one is made. */
export function AdminsKey() {
  const orgId = useOrgId();
  return (
    <p className="text-muted">
      <code className="text-ink font-mono text-xs">LEEWAY_API_KEY</code> is{" "}
      <Link
        to="/orgs/$orgId/settings/keys"
        params={{ orgId }}
        className="text-accent underline underline-offset-4"
      >
        a key of the role admin
      </Link>
      . A pipeline or a cron job can do the same whenever something may have changed.
    </p>
  );
}

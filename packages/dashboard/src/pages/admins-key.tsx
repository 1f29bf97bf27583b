import { Link } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

/** Explains that pushes need an admin's API key, and links to the page that creates one. */
export function AdminsKey() {
  const orgId = useOrgId();
  return (
    <p className="text-muted">
      Set <code className="text-ink font-mono text-xs">LEEWAY_API_KEY</code> to{" "}
      <Link
        to="/orgs/$orgId/settings/keys"
        params={{ orgId }}
        className="text-accent underline underline-offset-4"
      >
        an API key with the admin role
      </Link>
      . To stay up to date, run the same commands from a pipeline or cron job.
    </p>
  );
}

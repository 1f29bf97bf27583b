import { Navigate } from "@tanstack/react-router";
import { Building2 } from "lucide-react";

import { Empty, Read } from "../ui/states.tsx";
import { useOrganizations } from "./organizations.ts";

/** Leads to the first of one's organizations. */
export function Home() {
  const organizations = useOrganizations();
  return (
    <Read read={organizations}>
      {([first]) =>
        first ? (
          <Navigate to="/orgs/$orgId/posture" params={{ orgId: first.id }} replace />
        ) : (
          <Empty icon={<Building2 className="size-5" />} title="You belong to no organization yet">
            Ask an owner or admin of one to invite you by your e-mail address.
          </Empty>
        )
      }
    </Read>
  );
}

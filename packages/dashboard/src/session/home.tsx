import { Navigate } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { Suspense } from "react";

import { Button } from "../ui/button.tsx";
import { loadPage } from "../ui/load-page.ts";
import { Empty, Read } from "../ui/states.tsx";
import { useOrganizations } from "./organizations.ts";
import { signOut } from "./server-session.ts";
import { useSession } from "../api/session.ts";

const NewOrganization = loadPage(() => import("./new-organization.tsx"), "NewOrganization");

/** Redirects to the person's first organization. */
export function Home() {
  const organizations = useOrganizations();
  return (
    <main className="p-4">
      <Read read={organizations}>
        {([first]) =>
          first ? (
            <Navigate to="/orgs/$orgId/posture" params={{ orgId: first.id }} replace />
          ) : (
            <NoOrganization />
          )
        }
      </Read>
    </main>
  );
}

function NoOrganization() {
  const isPerson = useSession()?.by === "person";
  return (
    <Empty
      icon={<Building2 className="size-5" />}
      title="You aren’t in an organization yet"
      action={
        <div className="flex flex-col items-center gap-6">
          <Suspense>{isPerson && <NewOrganization />}</Suspense>
          <Button kind="quiet" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      }
    >
      Ask an owner or admin to invite your e-mail address, then sign in again.
    </Empty>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { Suspense, useState } from "react";

import { useOrganizations } from "../session/organizations.ts";
import { useSession } from "../api/session.ts";
import { loadPage } from "../ui/load-page.ts";
import { Menu, MenuItem, MenuLine, MenuTitle } from "../ui/menu.tsx";

const AnotherOrganization = loadPage(() => import("../session/new-organization.tsx"), "AnotherOrganization");

/** Shows the current organization, and switches to another or a new one. */
export function OrganizationMenu({ orgId }: { orgId: string }) {
  const navigate = useNavigate();
  const { data = [] } = useOrganizations();
  const isPerson = useSession()?.by === "person";
  const [isOpen, setOpen] = useState(false);
  const name = data.find(({ id }) => id === orgId)?.name ?? "Organization";
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            title={name}
            className="border-line bg-surface hover:bg-sunken flex h-10 w-full items-center gap-2.5 rounded-lg border px-2 text-left"
          >
            <span
              aria-hidden="true"
              className="bg-accent-soft text-accent flex size-6 shrink-0 items-center justify-center rounded-md text-xs font-semibold"
            >
              {name.charAt(0).toUpperCase()}
            </span>
            <span className="min-w-0 flex-1 truncate font-medium">
              <span className="sr-only">Organization </span>
              {name}
            </span>
            <ChevronsUpDown aria-hidden="true" className="text-muted size-4" />
          </button>
        }
      >
        <MenuTitle>Organizations</MenuTitle>
        {data.map(({ id, name, role }) => (
          <MenuItem
            key={id}
            checked={id === orgId}
            onSelect={() => void navigate({ to: "/orgs/$orgId/posture", params: { orgId: id } })}
          >
            <span className="truncate">{name}</span>
            <span className="text-muted text-xs">{role}</span>
          </MenuItem>
        ))}
        {isPerson && (
          <>
            <MenuLine />
            <MenuItem onSelect={() => setOpen(true)}>New organization</MenuItem>
          </>
        )}
      </Menu>
      {isOpen && (
        <Suspense>
          <AnotherOrganization onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

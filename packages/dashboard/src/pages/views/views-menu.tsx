import { useNavigate } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import { useState } from "react";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuLine, MenuTitle } from "../../ui/menu.tsx";
import { EditView } from "./edit-view.tsx";
import { ManageViews } from "./manage-views.tsx";
import type { View, Viewed } from "./view.ts";

interface ViewsMenuProps {
  viewed: Viewed;
  /** Search parameters of the page. */
  search: Record<string, unknown>;
}

/** Opens the saved views of a page, and saves its present filter. */
export function ViewsMenu({ viewed, search }: ViewsMenuProps) {
  const { page } = viewed;
  const filter = viewed.filterOf(search);
  const [open, setOpen] = useState<"save" | "manage">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Bookmark aria-hidden="true" className="size-4" /> Views
          </Button>
        }
      >
        <Saved viewed={viewed} filter={filter} />
        <MenuLine />
        <MenuItem onSelect={() => setOpen("save")}>Save this filter</MenuItem>
        <MenuItem onSelect={() => setOpen("manage")}>Manage views</MenuItem>
      </Menu>
      {open === "save" && <EditView page={page} filter={filter} onClose={close} />}
      {open === "manage" && <ManageViews page={page} filter={filter} onClose={close} />}
    </>
  );
}

function Saved({ viewed, filter }: { viewed: Viewed; filter: Record<string, unknown> }) {
  const { data, error } = useRead("GET /orgs/{id}/views", { query: { page: viewed.page } });
  const views = data?.data ?? [];
  const orgId = useOrgId();
  const navigate = useNavigate();
  if (error) return <MenuTitle>Views can’t be read: {error.message}</MenuTitle>;
  if (views.length === 0) return <MenuTitle>{data ? "No views yet" : "Loading"}</MenuTitle>;
  const item = (view: View) => {
    const search = viewed.searchOf(view.filter);
    return (
      <MenuItem
        key={view.id}
        checked={JSON.stringify(viewed.filterOf(search)) === JSON.stringify(filter)}
        onSelect={() => void navigate({ to: `/orgs/${orgId}${viewed.path}`, search })}
      >
        <span className="max-w-72 truncate">{view.name}</span>
      </MenuItem>
    );
  };
  const [shared, own] = [views.filter((view) => view.shared), views.filter((view) => !view.shared)];
  return (
    <>
      {own.length > 0 && <MenuTitle>Yours</MenuTitle>}
      {own.map(item)}
      {shared.length > 0 && <MenuTitle>Shared</MenuTitle>}
      {shared.map(item)}
    </>
  );
}

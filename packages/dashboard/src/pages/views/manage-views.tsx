import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { EditView } from "./edit-view.tsx";
import type { View } from "./view.ts";

const REFRESHED = ["GET /orgs/{id}/views"] as const;

interface ManageViewsProps {
  page: View["page"];
  /** Present filter of the page. */
  filter: Record<string, unknown>;
  onClose: () => void;
}

/** Lists the saved views of a page, to change or delete them. */
export function ManageViews({ page, filter, onClose }: ManageViewsProps) {
  const { data, error } = useRead("GET /orgs/{id}/views", { query: { page } });
  const [open, setOpen] = useState<{ what: "edit" | "delete"; view: View }>();
  const back = (): void => setOpen(undefined);
  if (open?.what === "edit") return <EditView page={page} filter={filter} view={open.view} onClose={back} />;
  if (open?.what === "delete") return <Delete view={open.view} onClose={back} />;
  return (
    <Dialog title="Views" onClose={onClose}>
      {error && <Failure error={error} />}
      {data?.data.length === 0 && <p className="text-muted">No views yet. Save a filter to add one.</p>}
      <ul className="flex flex-col">
        {(data?.data ?? []).map((view) => (
          <Managed key={view.id} view={view} onOpen={(what) => setOpen({ what, view })} />
        ))}
      </ul>
    </Dialog>
  );
}

function Managed({ view, onOpen }: { view: View; onOpen: (what: "edit" | "delete") => void }) {
  const mayShare = useMay("member");
  return (
    <li className="border-line flex min-h-11 items-center justify-between gap-3 border-b py-1.5 last:border-0">
      <div className="min-w-0">
        <div className="truncate font-medium">{view.name}</div>
        <div className="text-muted text-xs">{view.shared ? "Shared" : "Only you"}</div>
      </div>
      {(mayShare || !view.shared) && (
        <span className="flex shrink-0 gap-2">
          <Button aria-label={`Edit ${view.name}`} onClick={() => onOpen("edit")}>
            Edit
          </Button>
          <Button aria-label={`Delete ${view.name}`} onClick={() => onOpen("delete")}>
            Delete
          </Button>
        </span>
      )}
    </li>
  );
}

function Delete({ view: { id, name, shared }, onClose }: { view: View; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/views/{view_id}", REFRESHED);
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirmLabel="Delete"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { view_id: id } });
        say(`Deleted ${name}`);
      }}
    >
      {shared ? "It disappears for everyone. Drift and resources stay as they are." : "Only you see it."}
    </Confirm>
  );
}

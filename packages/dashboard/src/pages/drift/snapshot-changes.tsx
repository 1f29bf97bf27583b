import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";

import { ApiFailure } from "../../api/failure.ts";
import { useRead, useRows } from "../../api/hooks.ts";
import { Select } from "../../ui/field.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty, Read } from "../../ui/states.tsx";
import { allOf } from "../../ui/table.tsx";
import { ChangeFilters } from "./change-filters.tsx";
import { Changes } from "./changes.tsx";
import { snapshotSearch } from "./search.ts";

const PATH = "/orgs/$orgId/drift/snapshots/$snapshotId";
const VIEWS = [
  ["", "All of this snapshot"],
  ["new", "New since the one before"],
  ["resolved", "Gone since the one before"],
] as const;

/** A snapshot's changes, or how they differ from those of the snapshot before. */
export function SnapshotChanges({ snapshotId }: { snapshotId: string }) {
  const { view, ...search } = useSearch({ from: PATH, select: snapshotSearch });
  const navigate = useNavigate({ from: PATH });
  const filter = (changed: Record<string, string>): void =>
    void navigate({ search: (before) => snapshotSearch({ ...before, ...changed }), replace: true });
  return (
    <>
      <div role="search" className="flex flex-wrap items-center gap-2">
        <Select
          bare
          label="Which changes"
          value={view ?? ""}
          options={VIEWS}
          onChange={(value) => filter({ view: value })}
        />
        {view === undefined && <ChangeFilters search={search} onFilter={filter} />}
      </div>
      {view === undefined ? <All snapshotId={snapshotId} /> : <Since snapshotId={snapshotId} view={view} />}
    </>
  );
}

function All({ snapshotId }: { snapshotId: string }) {
  const { view: _, ...query } = useSearch({ from: PATH, select: snapshotSearch });
  const changes = useRows("GET /orgs/{id}/drift-snapshots/{snapshot_id}/changes", {
    params: { snapshot_id: snapshotId },
    query,
  });
  return (
    <Card padded={false}>
      <Changes label="Changes" rows={changes} empty={<Nothing />} />
    </Card>
  );
}

/** The comparison with the snapshot before, which the API makes without filters. */
function Since({ snapshotId, view }: { snapshotId: string; view: "new" | "resolved" }) {
  const diff = useRead("GET /orgs/{id}/drift-snapshots/{snapshot_id}/diff", {
    params: { snapshot_id: snapshotId },
  });
  if (diff.error instanceof ApiFailure && diff.error.status === 409) {
    return (
      <Card>
        <Empty title="There is nothing to compare it with">
          The account has no snapshot before this one.
        </Empty>
      </Card>
    );
  }
  return (
    <Read read={diff}>
      {(diff) => (
        <>
          <p>
            {countOf(diff.new_count, "change")} new, {countText(diff.resolved_count)} gone,{" "}
            {countText(diff.persisting_count)} as before. Noise isn’t counted.
            {diff[view].length < diff[`${view}_count`] &&
              ` The worst ${countText(diff[view].length)} are listed.`}
          </p>
          <Card padded={false}>
            <Changes label="Changes" rows={allOf(diff[view])} empty={<Nothing />} />
          </Card>
        </>
      )}
    </Read>
  );
}

function Nothing() {
  return (
    <Empty icon={<CircleCheck className="size-5" />} title="No such changes">
      Nothing of this snapshot is of that kind.
    </Empty>
  );
}

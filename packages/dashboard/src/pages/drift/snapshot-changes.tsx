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
  ["", "All changes"],
  ["new", "New since the previous snapshot"],
  ["resolved", "Resolved since the previous snapshot"],
] as const;

/** Lists a snapshot's changes, or the difference from the previous snapshot. */
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
          label="Show changes"
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

/** Shows the comparison with the previous snapshot, which the API offers without filters. */
function Since({ snapshotId, view }: { snapshotId: string; view: "new" | "resolved" }) {
  const diff = useRead("GET /orgs/{id}/drift-snapshots/{snapshot_id}/diff", {
    params: { snapshot_id: snapshotId },
  });
  if (diff.error instanceof ApiFailure && diff.error.status === 409) {
    return (
      <Card>
        <Empty title="No previous snapshot">This is the account’s first snapshot.</Empty>
      </Card>
    );
  }
  return (
    <Read read={diff}>
      {(diff) => (
        <>
          <p>
            {countOf(diff.new_count, "new change")}, {countText(diff.resolved_count)} resolved,{" "}
            {countText(diff.persisting_count)} unchanged. Noise isn’t counted.
            {diff[view].length < diff[`${view}_count`] &&
              ` Only the worst ${countText(diff[view].length)} are listed.`}
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
    <Empty icon={<CircleCheck className="size-5" />} title="No changes">
      This snapshot has no changes that match.
    </Empty>
  );
}

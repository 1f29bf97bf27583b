import { useParams } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { LevelBadge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countText, percentText } from "../../ui/number.ts";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { Moment } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { lastSearch } from "../last-search.ts";
import { snapshotsSearch } from "./search.ts";
import { SnapshotChanges } from "./snapshot-changes.tsx";
import { SnapshotStatus } from "./snapshot-status.tsx";
import { Told } from "./told.tsx";

const BUSY_MS = 2_000;
const LEVELS = ["critical", "high", "medium", "low"] as const;

/** One comparison of an account with its code. */
export function SnapshotPage() {
  const orgId = useOrgId();
  const { snapshotId } = useParams({ from: "/orgs/$orgId/drift/snapshots/$snapshotId" });
  const { nameOf } = useAccounts();
  const snapshot = useRead("GET /orgs/{id}/drift-snapshots/{snapshot_id}", {
    params: { snapshot_id: snapshotId },
    everyMs: (known) =>
      known?.status === "pending" || known?.narrative?.status === "queued" ? BUSY_MS : false,
  });
  return (
    <Page
      title={snapshot.data ? `Drift of ${nameOf(snapshot.data.cloud_account_id)}` : "Drift"}
      back={
        <BackLink
          to="/orgs/$orgId/drift/snapshots"
          params={{ orgId }}
          search={snapshotsSearch(lastSearch(`/orgs/${orgId}/drift/snapshots`))}
        >
          Snapshots
        </BackLink>
      }
    >
      <Read read={snapshot}>{(snapshot) => <Snapshot snapshot={snapshot} />}</Read>
    </Page>
  );
}

function Snapshot({ snapshot }: { snapshot: DriftSnapshot }) {
  if (snapshot.status === "pending") {
    return (
      <Notice tone="neutral" title="It is under way">
        <p>Nothing can be said before it has ended. It shows here by itself.</p>
      </Notice>
    );
  }
  if (snapshot.status === "error") {
    return (
      <Notice tone="critical" title="It failed, and says nothing">
        <p>{snapshot.error?.message ?? "The comparison couldn’t be made."}</p>
      </Notice>
    );
  }
  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <About snapshot={snapshot} />
        <Told snapshot={snapshot} />
      </div>
      <SnapshotChanges snapshotId={snapshot.id} />
    </>
  );
}

function About({ snapshot }: { snapshot: DriftSnapshot }) {
  return (
    <Card title="About">
      <Facts
        facts={[
          ["State", <SnapshotStatus key="status" status={snapshot.status} />],
          ["Taken", <Moment key="at" at={snapshot.created_at} />],
          [
            "Coverage",
            `${percentText(snapshot.coverage_pct)}${snapshot.coverage_reliable ? "" : ", not to be relied on"}`,
          ],
          ["Risk", <Levels key="levels" snapshot={snapshot} />],
          ["Changed", countText(snapshot.changed_count)],
          ["Missing", countText(snapshot.missing_count)],
          ["Undeclared", countText(snapshot.undeclared_count)],
        ]}
      />
    </Card>
  );
}

function Levels({ snapshot: { risk_counts: counts } }: { snapshot: DriftSnapshot }) {
  const found = LEVELS.filter((level) => counts[level] > 0);
  if (found.length === 0) return <LevelBadge level="none" />;
  return (
    <span className="flex flex-wrap gap-2">
      {found.map((level) => (
        <span key={level} className="flex items-center gap-1 tabular-nums">
          {countText(counts[level])} <LevelBadge level={level} />
        </span>
      ))}
    </span>
  );
}

import { useParams } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { LevelBadge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countText, percentText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Read } from "../../ui/states.tsx";
import { Moment } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { lastSearch } from "../last-search.ts";
import { isByModel } from "../narrative.tsx";
import { riskOf } from "../risk.ts";
import { snapshotsSearch } from "./search.ts";
import { SnapshotChanges } from "./snapshot-changes.tsx";
import { SnapshotStatus } from "./snapshot-status.tsx";
import { DriftSummary } from "./summary.tsx";

const BUSY_MS = 2_000;
const LEVELS = ["critical", "high", "medium", "low"] as const;

/** Shows one comparison of an account with its code. */
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
      title={snapshot.data ? `Drift in ${nameOf(snapshot.data.cloud_account_id)}` : "Drift"}
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
      <Notice tone="neutral" title="In progress">
        <p>The result will appear here automatically.</p>
      </Notice>
    );
  }
  if (snapshot.status === "error") {
    return (
      <Notice tone="critical" title="The comparison failed">
        <p>{snapshot.error?.message ?? "The account couldn’t be compared with its code."}</p>
      </Notice>
    );
  }
  const byModel = isByModel(snapshot.narrative);
  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <About snapshot={snapshot} />
        {!byModel && <DriftSummary snapshot={snapshot} />}
      </div>
      <SnapshotChanges snapshotId={snapshot.id} />
      {byModel && <DriftSummary snapshot={snapshot} />}
    </>
  );
}

/** Describes the coverage; it is judged once the snapshot isn't pending. */
function coverageText({ coverage_pct: percent, coverage_reliable: isReliable }: DriftSnapshot): string {
  if (percent === undefined) return "Unknown";
  return `${percentText(percent)}${isReliable ? "" : ", not reliable"}`;
}

function About({ snapshot }: { snapshot: DriftSnapshot }) {
  const { undeclared_risk_counts: undeclared } = snapshot;
  return (
    <Card title="About">
      <Facts
        facts={[
          ["Status", <SnapshotStatus key="status" status={snapshot.status} />],
          ["Taken", <Moment key="at" at={snapshot.created_at} />],
          ["Coverage", coverageText(snapshot)],
          [
            "Risk",
            snapshot.risk_counts && riskOf(snapshot) ? (
              <Levels key="levels" counts={snapshot.risk_counts} />
            ) : (
              "Unknown"
            ),
          ],
          ["Changed", countText(snapshot.changed_count)],
          ["Missing", countText(snapshot.missing_count)],
          ["Undeclared", countText(snapshot.undeclared_count)],
          ["Undeclared risk", undeclared ? <Levels key="undeclared" counts={undeclared} /> : "Unknown"],
        ]}
      />
    </Card>
  );
}

function Levels({ counts }: { counts: NonNullable<DriftSnapshot["risk_counts"]> }) {
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

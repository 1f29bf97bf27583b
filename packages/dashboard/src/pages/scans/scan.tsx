import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import type { Scan } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { durationInWords, Moment } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { lastSearch } from "../last-search.ts";
import { inWords } from "../words.ts";
import { Progress } from "./progress.tsx";
import { ScanErrors } from "./scan-errors.tsx";
import { scanSearch } from "./search.ts";
import { isUnderWay, ScanStatus } from "./status.tsx";
import { useScan } from "./use-scan.ts";

/** Shows one scan, while it runs and after. */
export function ScanPage() {
  const orgId = useOrgId();
  const { scanId } = useParams({ from: "/orgs/$orgId/scans/$scanId" });
  const { nameOf } = useAccounts();
  const scan = useScan(scanId);
  return (
    <Page
      title={scan.data ? `Scan of ${nameOf(scan.data.account_id)}` : "Scan"}
      back={
        <Link
          to="/orgs/$orgId/scans"
          params={{ orgId }}
          search={scanSearch(lastSearch(`/orgs/${orgId}/scans`))}
          className="text-muted hover:text-ink flex items-center gap-1"
        >
          <ChevronLeft aria-hidden="true" className="size-4" /> Scans
        </Link>
      }
      {...(scan.data && { actions: <Cancel scan={scan.data} /> })}
    >
      <Read read={scan}>
        {(scan) => (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex min-w-0 flex-col gap-4">
              <Progress scan={scan} />
              <ScanErrors errors={scan.errors} />
            </div>
            <About scan={scan} />
          </div>
        )}
      </Read>
    </Page>
  );
}

function Cancel({ scan }: { scan: Scan }) {
  const cancel = useAct("POST /orgs/{id}/scans/{scan_id}/cancel", [
    "GET /orgs/{id}/scans/{scan_id}",
    "GET /orgs/{id}/scans",
  ]);
  const may = useMay("admin");
  if (!may || !isUnderWay(scan) || scan.phase === "drift") return undefined;
  return (
    <>
      {cancel.error && <Failure error={cancel.error} />}
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ params: { scan_id: scan.id } })}>
        Cancel scan
      </Button>
    </>
  );
}

const ACTORS: Readonly<Record<Scan["requested_by"]["type"], string>> = {
  person: "A person",
  api_key: "An API key",
  operator: "The operator",
  system: "Leeway itself",
  code_host_user: "A code host user",
  ci: "A CI job",
};
const COUNTS = [
  ["seen", "Seen"],
  ["created", "New"],
  ["gone", "Gone"],
  ["matched", "Declared"],
  ["undeclared", "Undeclared"],
  ["unchecked", "Unchecked"],
  ["excluded", "Excluded"],
  ["foreign", "In other accounts"],
  ["regions_ok", "Regions read"],
  ["regions_failed", "Regions failed"],
] as const;

function About({ scan }: { scan: Scan }) {
  const { started_at: start, finished_at: end, drift_snapshot_id: snapshotId } = scan;
  const orgId = useOrgId();
  const counts = COUNTS.flatMap(([name, title]): [string, string][] => {
    const count = scan.stats[name];
    return count === undefined ? [] : [[title, countText(count)]];
  });
  return (
    <Card title="About">
      <Facts
        facts={[
          ["Status", <ScanStatus key="status" scan={scan} />],
          ["Kind", inWords(scan.kind)],
          ["Trigger", inWords(scan.trigger)],
          ["Requested by", ACTORS[scan.requested_by.type]],
          ["Requested", <Moment key="asked" at={scan.created_at} />],
          ...(start !== undefined && end !== undefined
            ? [["Took", durationInWords(start, end)] as const]
            : []),
          ...(scan.format === undefined ? [] : [["Format", scan.format] as const]),
          ...(snapshotId === undefined
            ? []
            : [
                [
                  "Drift",
                  <Link
                    key="drift"
                    to="/orgs/$orgId/drift/snapshots/$snapshotId"
                    params={{ orgId, snapshotId }}
                    className="text-accent underline-offset-4 hover:underline"
                  >
                    View snapshot
                  </Link>,
                ] as const,
              ]),
          ...counts,
        ]}
      />
    </Card>
  );
}

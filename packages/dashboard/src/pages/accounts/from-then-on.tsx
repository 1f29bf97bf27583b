import { Link } from "@tanstack/react-router";

import { useAct } from "../../api/act.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { cronInWords } from "../scans/cron.ts";
import type { CloudAccount } from "./types.ts";

/** Offers ways to keep an account up to date after its first scan. */
export function FromThenOn({ account }: { account: CloudAccount }) {
  return (
    <Card title="Keep it up to date">
      {account.credentials ? (
        <Scheduled accountId={account.id} />
      ) : (
        <p className="text-muted">
          Push a listing from a pipeline or every hour. Leeway then shows new, deleted and drifted resources
          immediately.
        </p>
      )}
    </Card>
  );
}

function Scheduled({ accountId }: { accountId: string }) {
  const orgId = useOrgId();
  const schedules = useRead("GET /orgs/{id}/scan-schedules", { query: { account_id: accountId } });
  return (
    <Read read={schedules}>
      {({ data: [first] }) => (
        <div className="flex flex-col items-start gap-3">
          {first ? (
            <p>
              Scheduled: {cronInWords(first.cron)}, {first.timezone}.
            </p>
          ) : (
            <Hourly accountId={accountId} />
          )}
          <Link
            to="/orgs/$orgId/scans/schedules"
            params={{ orgId }}
            className="text-accent underline-offset-4 hover:underline"
          >
            Schedules
          </Link>
        </div>
      )}
    </Read>
  );
}

function Hourly({ accountId }: { accountId: string }) {
  const make = useAct("POST /orgs/{id}/scan-schedules", ["GET /orgs/{id}/scan-schedules"]);
  const start = (): void => {
    // Spreads the load, so that not every account is scanned on the hour.
    const cron = `${new Date().getUTCMinutes()} * * * *`;
    make.mutate({ body: { account_id: accountId, cron, timezone: "UTC" } });
  };
  return (
    <>
      <p className="text-muted">No schedule yet. With hourly scans, changes appear within an hour.</p>
      <Button busy={make.isPending} onClick={start}>
        Scan every hour
      </Button>
      {make.error && <Failure error={make.error} />}
    </>
  );
}

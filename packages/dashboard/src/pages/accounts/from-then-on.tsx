import { Link } from "@tanstack/react-router";

import { useAct, useOrgId, useRead } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { cronInWords } from "../scans/cron.ts";
import type { CloudAccount } from "./types.ts";

/** How what changes in an account is known from then on. */
export function FromThenOn({ account }: { account: CloudAccount }) {
  return (
    <Card title="From now on">
      {account.credentials ? (
        <Scheduled accountId={account.id} />
      ) : (
        <p className="text-muted">
          Push a listing whenever something may have changed, by a pipeline or every hour: what is new, gone
          or has drifted shows at once.
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
              It is scanned by itself: {cronInWords(first.cron)}, {first.timezone}.
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
    // Not everybody's at the full hour.
    const cron = `${new Date().getUTCMinutes()} * * * *`;
    make.mutate({ body: { account_id: accountId, cron, timezone: "UTC" } });
  };
  return (
    <>
      <p className="text-muted">
        Scanned every hour, what changes in it is known within the hour. Nothing scans it by itself yet.
      </p>
      <Button busy={make.isPending} onClick={start}>
        Scan it every hour
      </Button>
      {make.error && <Failure error={make.error} />}
    </>
  );
}

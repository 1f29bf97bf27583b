import { useOrgId } from "../../api/hooks.ts";
import type { Scan } from "../../api/openapi.gen.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { Progress } from "../scans/progress.tsx";
import { ScanErrors } from "../scans/scan-errors.tsx";
import { isUnderWay, ScanStatus } from "../scans/status.tsx";
import { useScan } from "../scans/use-scan.ts";
import { FromThenOn } from "./from-then-on.tsx";
import type { CloudAccount } from "./types.ts";

/** Shows an account's first scan while it runs, its result, and the next steps. */
export function FirstScan({ account, scanId }: { account: CloudAccount; scanId: string }) {
  const scan = useScan(scanId);
  return (
    <Read read={scan}>
      {(scan) => (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="flex min-w-0 flex-col gap-4">
            <Progress scan={scan} />
            <ScanErrors errors={scan.errors} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            {!isUnderWay(scan) && <Found scan={scan} />}
            <FromThenOn account={account} />
          </div>
        </div>
      )}
    </Read>
  );
}

function Found({ scan }: { scan: Scan }) {
  const orgId = useOrgId();
  const { seen, undeclared } = scan.stats;
  return (
    <Card title="Results">
      <div className="flex flex-col gap-4" aria-live="polite">
        <div>
          <ScanStatus scan={scan} />
        </div>
        {seen !== undefined && (
          <p>
            {countOf(seen, "resource")}
            {undeclared !== undefined && `, ${countText(undeclared)} not declared as code`}.
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <LinkButton
            kind="primary"
            to="/orgs/$orgId/inventory"
            params={{ orgId }}
            search={{ account_id: scan.account_id }}
          >
            View inventory
          </LinkButton>
          <LinkButton to="/orgs/$orgId/sources" params={{ orgId }}>
            Add a source
          </LinkButton>
        </div>
      </div>
    </Card>
  );
}

import { Suspense, useState } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { storageOf } from "../../api/storage.ts";
import { useMay } from "../../session/organizations.ts";
import { loadPage } from "../../ui/load-page.ts";
import type { SetUp } from "./checklist.tsx";

const Checklist = loadPage(() => import("./checklist.tsx"), "Checklist");

const ALL = { query: { limit: 500 } } as const;

/** Shows the checklist until all is set up, or until the person hides it. Its script is loaded only then. */
export function LazyChecklist({ accounts }: { accounts: readonly PostureRow[] }) {
  const key = `leeway.checklist.${useOrgId()}`;
  const isAdmin = useMay("admin");
  const [isHidden, setHidden] = useState(() => storageOf("localStorage")?.getItem(key) === "hidden");
  const setUp = useSetUp(accounts, isAdmin && !isHidden);
  if (!setUp || Object.values(setUp).every(Boolean)) return undefined;
  const hide = (): void => {
    storageOf("localStorage")?.setItem(key, "hidden");
    setHidden(true);
  };
  return (
    <Suspense>
      <Checklist setUp={setUp} onHide={hide} />
    </Suspense>
  );
}

/** Returns what is set up, once it is known. */
function useSetUp(accounts: readonly PostureRow[], when: boolean): SetUp | undefined {
  const sources = useRows("GET /orgs/{id}/iac-sources", { ...ALL, when });
  const webhooks = useRows("GET /orgs/{id}/webhooks", { ...ALL, when });
  const channels = useRows("GET /orgs/{id}/notification-channels", { ...ALL, when });
  const schedules = useRows("GET /orgs/{id}/scan-schedules", { ...ALL, when });
  const lists = [sources, webhooks, channels, schedules];
  if (!when || lists.some(({ isPending, error }) => isPending || error)) return undefined;
  return {
    accounts: accounts.length > 0,
    sources: sources.rows.length > 0,
    scans: accounts.some(({ last_scan_at: at }) => at !== undefined),
    schedules: schedules.rows.length > 0,
    channels: channels.rows.length > 0,
    webhooks: webhooks.rows.length > 0,
  };
}

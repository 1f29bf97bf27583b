import { lazy, Suspense, type ReactNode } from "react";

import type { PostureRow } from "../../api/openapi.gen.ts";
import { Empty } from "../../ui/states.tsx";
import { WhenSeen } from "../../ui/when-seen.tsx";

const load = (): Promise<Loaded> => import("./charts.tsx").catch(() => UNLOADED);
const Charts = lazy(async () => ({ default: (await load()).Charts }));
const Breakdown = lazy(async () => ({ default: (await load()).Breakdown }));

interface Loaded {
  Charts: (props: { accountId?: string }) => ReactNode;
  Breakdown: (props: { accounts: readonly PostureRow[] }) => ReactNode;
}

/** Shows the last days of all accounts. Charts are below the first screen, so their script is loaded on scrolling. */
export function LazyCharts() {
  return (
    <WhenSeen name="charts" reserve="min-h-100">
      <Suspense fallback={<div className="min-h-100" />}>
        <Charts />
      </Suspense>
    </WhenSeen>
  );
}

/** Shows the accounts day by day, and the types with the most drift. */
export function LazyBreakdown({ accounts }: { accounts: readonly PostureRow[] }) {
  return (
    <WhenSeen name="breakdown" reserve="min-h-96">
      <Suspense fallback={<div className="min-h-96" />}>
        <Breakdown accounts={accounts} />
      </Suspense>
    </WhenSeen>
  );
}

function Unloaded() {
  return <Empty title="The charts couldn’t be loaded">Reload the page to see them.</Empty>;
}

const UNLOADED: Loaded = { Charts: Unloaded, Breakdown: Unloaded };

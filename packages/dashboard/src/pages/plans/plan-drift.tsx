import type { PlannedDrift } from "../../api/openapi.gen.ts";
import { Badge, LevelBadge } from "../../ui/badge.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Some } from "../../ui/some.tsx";
import { ValueChange } from "../../ui/value-change.tsx";

/** Shows changes made outside the plan's tool: those that happened, and those that the plan makes because of them. */
export function PlanDrift({ drift }: { drift: readonly PlannedDrift[] }) {
  const real = drift.filter(({ noise }) => !noise);
  const noise = drift.filter(({ noise }) => noise);
  const pending = real.filter(({ relevant }) => relevant);
  const past = real.filter(({ relevant }) => !relevant);
  return (
    <Card title={`Drift (${countText(real.length)})`}>
      <div className="flex flex-col gap-5">
        <Group title="Reverted or changed by this plan" drift={pending} />
        <Group title="Changed outside, not touched by this plan" drift={past} />
        {noise.length > 0 && (
          <details>
            <summary className="text-muted hover:text-ink w-fit">
              {countText(noise.length)} with only noise
            </summary>
            <div className="mt-3 flex flex-col gap-2">
              <Some items={noise}>{(one) => <Change key={one.fingerprint} drift={one} />}</Some>
            </div>
          </details>
        )}
      </div>
    </Card>
  );
}

function Group({ title, drift }: { title: string; drift: readonly PlannedDrift[] }) {
  if (drift.length === 0) return undefined;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-muted text-xs font-medium">{title}</h3>
      <Some items={drift}>{(one) => <Change key={one.fingerprint} drift={one} />}</Some>
    </section>
  );
}

function Change({ drift }: { drift: PlannedDrift }) {
  const { address, kind, risk_level: level, attribute_changes: changes } = drift;
  return (
    <details className="border-line rounded-lg border">
      <summary className="hover:bg-sunken/60 flex flex-wrap items-center gap-2 p-3">
        <LevelBadge level={level} />
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{address}</code>
        <Badge>{kind === "missing" ? "Missing" : "Changed"}</Badge>
      </summary>
      <div className="flex flex-col gap-2 p-3 pt-0">
        {changes.length === 0 && <p className="text-muted">The resource was deleted.</p>}
        <Some items={changes}>
          {(change) => <ValueChange key={JSON.stringify(change.path)} change={change} />}
        </Some>
      </div>
    </details>
  );
}

import { GAP_REASONS } from "../../api/later-sets.gen.ts";
import type { LiveResourceDetail } from "../../api/openapi.gen.ts";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";

type Comparison = NonNullable<LiveResourceDetail["comparison"]>;
type Gap = Comparison["not_compared"][number];

const REASONS: Readonly<Record<Gap["reason"], string>> = {
  no_counterpart: "The cloud’s schema has no member that certainly has the same meaning",
  no_schema: "The cloud publishes no schema for this type",
  provider_only: "Only the Terraform provider uses it",
  secret: "It may contain a secret",
  excluded: "Excluded, because a comparison would be wrong",
};

/** Shows how many attributes of a resource are compared, and which aren't. */
export function ComparisonCard({ comparison }: { comparison: Comparison }) {
  const { settable, compared, not_compared: gaps } = comparison;
  return (
    <Card title="Comparison">
      <div className="flex flex-col gap-3">
        <p>
          Compares {countText(compared)} of {countOf(settable, "settable attribute")}.
        </p>
        {gaps.length > 0 && (
          <details>
            <summary className="text-muted hover:text-ink w-fit">Not compared</summary>
            <div className="mt-3 flex flex-col gap-4">
              {GAP_REASONS.map((reason) => (
                <Gaps key={reason} reason={reason} gaps={gaps.filter((gap) => gap.reason === reason)} />
              ))}
            </div>
          </details>
        )}
      </div>
    </Card>
  );
}

function Gaps({ reason, gaps }: { reason: Gap["reason"]; gaps: readonly Gap[] }) {
  if (gaps.length === 0) return undefined;
  return (
    <section>
      <h3 className="text-muted">{REASONS[reason]}</h3>
      <ul className="mt-1.5 flex flex-wrap gap-1.5">
        {gaps.map(({ attribute, count, note }) => (
          <li key={attribute} className="bg-sunken rounded-md px-1.5 py-0.5 text-xs">
            <code className="font-mono break-all">{attribute}</code>
            {count !== undefined && <span className="text-muted"> {countOf(count, "attribute")}</span>}
            {note !== undefined && <span className="text-muted"> {note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

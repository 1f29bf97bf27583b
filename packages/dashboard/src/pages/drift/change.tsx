import type { Row } from "../../api/client.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Day } from "../../ui/time.tsx";

export type DriftChange = Row<"GET /orgs/{id}/drift-changes">;

export const KIND_NAMES: Readonly<Record<DriftChange["kind"], string>> = {
  changed: "Changed",
  missing: "Missing",
  undeclared: "Undeclared",
  pending: "Not yet applied",
};

/** What to call the resource that a change is of. */
export function resourceOf({ address, provider_resource_id: id, resource_type: type }: DriftChange): string {
  return address ?? id ?? type;
}

type Disposition = DriftChange["disposition"];

const DISPOSITIONS: Readonly<Record<Disposition["status"], { tone: Tone; text: string }>> = {
  open: { tone: "medium", text: "Open" },
  acknowledged: { tone: "accent", text: "Acknowledged" },
  ignored: { tone: "neutral", text: "Ignored" },
  resolved: { tone: "good", text: "Resolved" },
};

/** What people decided about a change, and why. */
export function Decided({ disposition: { status, until, reason } }: Pick<DriftChange, "disposition">) {
  const { tone, text } = DISPOSITIONS[status];
  return (
    <div className="flex min-w-0 flex-col items-start gap-1 narrow:items-end">
      <Badge tone={tone}>{text}</Badge>
      {until !== undefined && (
        <span className="text-muted text-xs">
          until <Day at={until} />
        </span>
      )}
      {reason !== undefined && <span className="text-muted text-xs wrap-anywhere">{reason}</span>}
    </div>
  );
}

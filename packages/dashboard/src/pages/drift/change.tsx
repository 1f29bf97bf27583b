import type { Answer, Row } from "../../api/client.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Day } from "../../ui/time.tsx";

export type DriftChange = Row<"GET /orgs/{id}/drift-changes">;

/** A change with its history. */
export type DriftChangeDetail = Answer<"GET /orgs/{id}/drift-changes/{fingerprint}">;

export const KIND_NAMES: Readonly<Record<DriftChange["kind"], string>> = {
  changed: "Changed",
  missing: "Missing",
  undeclared: "Undeclared",
  pending: "Not yet applied",
};

/** Returns the display name of a change's resource. */
export function resourceOf({ address, provider_resource_id: id, resource_type: type }: DriftChange): string {
  return address ?? id ?? type;
}

/** Returns the short name of a change's resource: its name, or the end of its address or id. */
export function nameOfChange(change: DriftChange): string {
  const { resource_name: name, address, module_address: module } = change;
  if (name !== undefined) return name;
  if (address === undefined)
    return (
      resourceOf(change)
        .split(/[/:]/)
        .findLast((part) => part !== "") ?? ""
    );
  return module !== undefined && address.startsWith(`${module}.`)
    ? address.slice(module.length + 1)
    : address;
}

type Disposition = DriftChange["disposition"];

const DISPOSITIONS: Readonly<Record<Disposition["status"], { tone: Tone; text: string }>> = {
  open: { tone: "medium", text: "Open" },
  acknowledged: { tone: "accent", text: "Acknowledged" },
  ignored: { tone: "neutral", text: "Ignored" },
  resolved: { tone: "good", text: "Resolved" },
};

interface DecidedProps extends Pick<DriftChange, "disposition"> {
  /** Whether there is room only for the badge, except on narrow screens. Its tooltip has the rest. */
  brief?: boolean;
}

/** Shows the decision about a change, with its end and its reason. */
export function Decided({ disposition: { status, until, reason }, brief = false }: DecidedProps) {
  const { tone, text } = DISPOSITIONS[status];
  const rest = `text-muted text-xs ${brief ? "lg:hidden" : ""}`;
  return (
    <div className="flex min-w-0 items-center gap-2 narrow:flex-col narrow:items-end narrow:gap-1">
      <Badge tone={tone} title={reason}>
        {text}
      </Badge>
      {until !== undefined && (
        <span className={`${rest} whitespace-nowrap`}>
          until <Day at={until} />
        </span>
      )}
      {reason !== undefined && <span className={`${rest} wrap-anywhere`}>{reason}</span>}
    </div>
  );
}

import type { Answer } from "../../api/client.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Some } from "../../ui/some.tsx";

export type Adoption = Answer<"POST /orgs/{id}/adoptions">;
type Adopted = Adoption["resources"][number];

const STATUSES: Readonly<Record<Adopted["status"], { tone: Tone; text: string; order: number }>> = {
  refused: { tone: "critical", text: "Refused", order: 0 },
  partial: { tone: "medium", text: "Partial", order: 1 },
  complete: { tone: "good", text: "Complete", order: 2 },
};

interface AdoptedListProps {
  adoption: Adoption;
  /** Returns the name of a live resource. Refused ones have no address. */
  nameOf?: (id: string) => string;
}

/** Lists what became of each resource: its address, its references, and what is missing and why. */
export function AdoptedList({ adoption: { resources }, nameOf }: AdoptedListProps) {
  const worstFirst = resources.toSorted((a, b) => STATUSES[a.status].order - STATUSES[b.status].order);
  return (
    <div role="group" aria-label="Resources" className="border-line divide-line divide-y rounded-lg border">
      <Some items={worstFirst}>
        {(one) => <One key={one.resource_id} adopted={one} name={nameOf?.(one.resource_id)} />}
      </Some>
    </div>
  );
}

function One({ adopted, name }: { adopted: Adopted; name: string | undefined }) {
  const { status, address, reason, references, omitted } = adopted;
  const { tone, text } = STATUSES[status];
  return (
    <div className="flex min-w-0 flex-col gap-1 px-3 py-2">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">
          {address === undefined ? (
            (name ?? "This resource")
          ) : (
            <code className="font-mono text-xs">{address}</code>
          )}
        </span>
        <Badge tone={tone}>{text}</Badge>
      </div>
      {reason !== undefined && <p className="text-muted text-xs wrap-anywhere">{reason}</p>}
      <Details title="References" rows={references.map((one) => [one.attribute, one.address])} />
      <Details title="Left out or variable" rows={omitted.map((one) => [one.attribute, one.reason])} />
    </div>
  );
}

function Details({
  title,
  rows,
}: {
  title: string;
  rows: readonly (readonly [name: string, text: string])[];
}) {
  if (rows.length === 0) return undefined;
  return (
    <details className="text-xs">
      <summary className="text-muted w-fit cursor-pointer">
        {title} ({rows.length})
      </summary>
      <dl className="mt-1 grid grid-cols-[minmax(5rem,max-content)_1fr] gap-x-4 gap-y-1">
        {rows.map(([name, text]) => (
          <div key={name + text} className="contents">
            <dt className="font-mono break-all">{name}</dt>
            <dd className="text-muted min-w-0 wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

import type { Scan } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { countOf } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";

type ScanError = Scan["errors"][number];

const CODES: Readonly<Record<ScanError["code"], string>> = {
  permission_denied: "Not permitted",
  throttled: "Throttled",
  timeout: "Took too long",
  unsupported: "Not supported",
  empty_listing: "Empty listing",
  incomplete_listing: "Incomplete listing",
  internal: "Failed",
};

/** Lists what couldn't be read, by service and region, most frequent first. */
export function ScanErrors({ errors }: { errors: readonly ScanError[] }) {
  if (errors.length === 0) return undefined;
  const sorted = errors.toSorted((a, b) => b.count - a.count);
  return (
    <Card title="Errors" padded={false}>
      <ul className="divide-line divide-y">
        {sorted.map((error) => (
          <li
            key={[error.service, error.region, error.code, error.message].join(" ")}
            className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-4 py-3"
          >
            <div className="min-w-0 flex-1">
              <div className="font-medium">{placeOf(error)}</div>
              <p className="text-muted text-xs wrap-anywhere">{error.message}</p>
            </div>
            <div className="flex items-center gap-2">
              {error.count > 1 && <span className="text-muted text-xs">{countOf(error.count, "time")}</span>}
              <Badge tone={error.code === "internal" ? "critical" : "medium"}>{CODES[error.code]}</Badge>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function placeOf({ service, region }: ScanError): string {
  if (service === undefined && region === undefined) return "The whole account";
  return [service ?? "All services", region ?? "all regions"].join(", ");
}

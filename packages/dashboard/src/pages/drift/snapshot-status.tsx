import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const SHOWN: Readonly<Record<DriftSnapshot["status"], { tone: Tone; text: string; title: string }>> = {
  pending: { tone: "accent", text: "In progress", title: "No results yet" },
  ready: { tone: "good", text: "Ready", title: "The comparison is complete" },
  error: { tone: "critical", text: "Failed", title: "The comparison failed, so it has no valid figures" },
};

/** Shows whether a snapshot's figures are ready. */
export function SnapshotStatus({ status }: Pick<DriftSnapshot, "status">) {
  const { tone, text, title } = SHOWN[status];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}

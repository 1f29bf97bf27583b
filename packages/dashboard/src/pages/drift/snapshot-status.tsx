import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const SHOWN: Readonly<Record<DriftSnapshot["status"], { tone: Tone; text: string; title: string }>> = {
  pending: { tone: "accent", text: "Under way", title: "It has no figures yet" },
  ready: { tone: "good", text: "Ready", title: "Everything was compared" },
  error: { tone: "critical", text: "Failed", title: "Its figures mean nothing" },
};

/** Whether a snapshot's figures are there. */
export function SnapshotStatus({ status }: Pick<DriftSnapshot, "status">) {
  const { tone, text, title } = SHOWN[status];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}

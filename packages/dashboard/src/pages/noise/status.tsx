import type { PlanNoise } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

export const STATUSES: Readonly<Record<PlanNoise["status"], { tone: Tone; text: string; title: string }>> = {
  active: { tone: "accent", text: "Active", title: "Plans still show it" },
  muted: { tone: "neutral", text: "Muted", title: "Plans hide it" },
  fixed: { tone: "good", text: "Fixed", title: "Plans no longer show it" },
};

/** Shows whether plans still have a kind of noise. */
export function StatusBadge({ status }: Pick<PlanNoise, "status">) {
  const { tone, text, title } = STATUSES[status];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}

import { Badge, type Tone } from "../../ui/badge.tsx";
import type { Delivery } from "./types.ts";

type Outcome = Delivery["outcome"];

const SHOWN: Readonly<Record<Outcome, { tone: Tone; text: string; title: string }>> = {
  pending: { tone: "accent", text: "Pending", title: "Stored and waiting to be processed" },
  processed: { tone: "good", text: "Processed", title: "Its work is done or in progress" },
  ignored: { tone: "neutral", text: "Ignored", title: "Leeway ignores events of this kind" },
  failed: { tone: "critical", text: "Failed", title: "It couldn’t be processed" },
};

/** Shows the outcome of an event. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { tone, text, title } = SHOWN[outcome];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}

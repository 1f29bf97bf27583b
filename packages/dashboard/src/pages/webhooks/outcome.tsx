import { Badge, type Tone } from "../../ui/badge.tsx";
import type { Delivery } from "./types.ts";

type Outcome = Delivery["outcome"];

const SHOWN: Readonly<Record<Outcome, { tone: Tone; text: string; title: string }>> = {
  pending: { tone: "accent", text: "Being read", title: "It is on disk, and waits to be worked off" },
  processed: { tone: "good", text: "Processed", title: "What was to be done for it is done or under way" },
  ignored: { tone: "neutral", text: "Ignored", title: "Nothing is done for events of this kind" },
  failed: { tone: "critical", text: "Failed", title: "It couldn’t be worked off" },
};

/** What became of an event. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { tone, text, title } = SHOWN[outcome];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}

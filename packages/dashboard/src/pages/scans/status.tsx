import type { Scan } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const SHOWN: Readonly<Record<Scan["status"], { tone: Tone; text: string; title: string }>> = {
  queued: { tone: "neutral", text: "Queued", title: "Waiting to start" },
  running: { tone: "accent", text: "Running", title: "In progress" },
  succeeded: { tone: "good", text: "Succeeded", title: "The whole account was read" },
  partial: {
    tone: "medium",
    text: "Partial",
    title: "Parts of the account couldn’t be read and keep their previous data",
  },
  failed: { tone: "critical", text: "Failed", title: "Nothing was read; the previous data is kept" },
  canceled: { tone: "neutral", text: "Canceled", title: "It was stopped before it finished" },
};
const PHASES: Readonly<Record<Scan["phase"], string>> = {
  discover: "reading",
  match: "matching",
  drift: "comparing",
};

/** Shows a scan's progress. */
export function ScanStatus({ scan: { status, phase } }: { scan: Pick<Scan, "status" | "phase"> }) {
  const { tone, text, title } = SHOWN[status];
  return (
    <Badge tone={tone} title={title}>
      {text}
      {status === "running" && `: ${PHASES[phase]}`}
    </Badge>
  );
}

/** Returns whether a scan may still change. */
export function isUnderWay({ status }: Pick<Scan, "status">): boolean {
  return status === "queued" || status === "running";
}

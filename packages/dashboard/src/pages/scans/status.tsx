import type { Scan } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

const SHOWN: Readonly<Record<Scan["status"], { tone: Tone; text: string; title: string }>> = {
  queued: { tone: "neutral", text: "Queued", title: "It waits for its turn" },
  running: { tone: "accent", text: "Running", title: "It is under way" },
  succeeded: { tone: "good", text: "Succeeded", title: "All of the account was read" },
  partial: {
    tone: "medium",
    text: "Partial",
    title: "Some of the account couldn’t be read: what is there stays as it was known before",
  },
  failed: { tone: "critical", text: "Failed", title: "Nothing was read: all stays as it was known before" },
  canceled: { tone: "neutral", text: "Canceled", title: "Somebody stopped it" },
};
const PHASES: Readonly<Record<Scan["phase"], string>> = {
  discover: "reading",
  match: "matching",
  drift: "comparing",
};

/** How far a scan has come. */
export function ScanStatus({ scan: { status, phase } }: { scan: Pick<Scan, "status" | "phase"> }) {
  const { tone, text, title } = SHOWN[status];
  return (
    <Badge tone={tone} title={title}>
      {text}
      {status === "running" && `: ${PHASES[phase]}`}
    </Badge>
  );
}

/** Whether a scan may still change. */
export function isUnderWay({ status }: Pick<Scan, "status">): boolean {
  return status === "queued" || status === "running";
}

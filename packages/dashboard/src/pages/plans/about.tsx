import { Badge, LevelBadge, type Tone } from "../../ui/badge.tsx";
import type { ListedJob } from "../job-title.ts";

const STATUSES: Readonly<Record<ListedJob["status"], { tone: Tone; text: string }>> = {
  queued: { tone: "neutral", text: "Waiting" },
  running: { tone: "accent", text: "Running" },
  done: { tone: "good", text: "Done" },
  error: { tone: "critical", text: "Failed" },
};

/** Shows a job's status or outcome. */
export function JobStatus({
  job: { kind, status, risk_level: level, gate_passed: passed },
}: {
  job: ListedJob;
}) {
  if (kind !== "analyze" || status !== "done") {
    return <Badge tone={STATUSES[status].tone}>{STATUSES[status].text}</Badge>;
  }
  return (
    <span className="flex flex-wrap gap-1.5">
      {level === undefined ? <Badge tone="critical">Plan failed</Badge> : <LevelBadge level={level} />}
      {passed === false && <Badge tone="critical">Gate failed</Badge>}
    </span>
  );
}

import type { Row } from "../../api/client.ts";
import { Badge, LevelBadge, type Tone } from "../../ui/badge.tsx";

export type ListedJob = Row<"GET /orgs/{id}/llm-jobs">;

export const KIND_NAMES: Readonly<Record<ListedJob["kind"], string>> = {
  analyze: "Plan",
  plan_noise_fix: "Fix of noise",
  drift_narrative: "Words for drift",
};

/** What a job is about, in a line. */
export function titleOf({ kind, repository, change_request: request }: ListedJob): string {
  if (repository === undefined) return KIND_NAMES[kind];
  return request === undefined ? repository : `${repository} #${request.number}`;
}

/** Which of a repository's projects; the one that is all of it goes without a name. */
export function projectOf({ project = {} }: Pick<ListedJob, "project">): string {
  const { name, dir, workspace } = project;
  return [name ?? (dir === "." ? "" : dir), workspace].filter(Boolean).join(", ");
}

const STATUSES: Readonly<Record<ListedJob["status"], { tone: Tone; text: string }>> = {
  queued: { tone: "neutral", text: "Waiting" },
  running: { tone: "accent", text: "Under way" },
  done: { tone: "good", text: "Done" },
  error: { tone: "critical", text: "Failed" },
};

/** How a job stands, or what it came to. */
export function Standing({
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

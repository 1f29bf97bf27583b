import { CircleCheck } from "lucide-react";

import type { AnalyzeResult, Finding } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { OutLink } from "../../ui/out-link.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import { pathText } from "../../ui/path-text.ts";
import { isByModel, Narrative } from "../narrative.tsx";
import { reasonText } from "../webhooks/reasons.ts";
import { inWords } from "../words.ts";
import { PlanChanges } from "./plan-changes.tsx";
import { PlanDrift } from "./plan-drift.tsx";
import { PlanNoise } from "./plan-noise.tsx";

/** Shows an analysis: the gate, the changes, the dangerous ones, the drift, the noise, and the model's text. */
export function Analysis({ jobId, result }: { jobId: string; result: AnalyzeResult }) {
  const { drift, noise, comment, narrative } = result;
  const byModel = isByModel(narrative);
  return (
    <>
      <Gate result={result} />
      <Planned jobId={jobId} result={result} />
      {!byModel && <Words narrative={narrative} />}
      <DriftAndNoise drift={drift} noise={noise} />
      {byModel && <Narrative narrative={narrative} />}
      {comment && <Comment comment={comment} />}
    </>
  );
}

/** Shows what the plan changes, and that it failed, if it did. */
function Planned({ jobId, result }: { jobId: string; result: AnalyzeResult }) {
  const { findings, summary, warnings, errored = false } = result;
  const isUnknown = errored && isNothing(summary);
  return (
    <>
      {errored && <PlanFailed isUnknown={isUnknown} />}
      <Warnings warnings={warnings} />
      {!isUnknown && <Summary summary={summary} />}
      {!isNothing(summary) && <PlanChanges jobId={jobId} findings={findings} />}
      {!(errored && findings.length === 0) && <Findings findings={findings} />}
    </>
  );
}

function PlanFailed({ isUnknown }: { isUnknown: boolean }) {
  return (
    <Notice tone="critical" title="The plan failed">
      <p>
        {isUnknown
          ? "Its changes are unknown."
          : "The plan is incomplete. Its results until the failure are below."}
      </p>
    </Notice>
  );
}

function DriftAndNoise({ drift, noise }: Pick<AnalyzeResult, "drift" | "noise">) {
  return (
    <>
      {drift.length > 0 && <PlanDrift drift={drift} />}
      {noise.length > 0 && <PlanNoise noise={noise} />}
    </>
  );
}

function Warnings({ warnings }: Pick<AnalyzeResult, "warnings">) {
  if (warnings.length === 0) return undefined;
  return (
    <Notice tone="medium" title={countOf(warnings.length, "warning")}>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Notice>
  );
}

/** Returns whether a plan changes nothing. */
function isNothing(summary: AnalyzeResult["summary"]): boolean {
  return Object.values(summary).every((count) => count === 0);
}

function Findings({ findings }: Pick<AnalyzeResult, "findings">) {
  return (
    <Card title={`Findings, worst first (${countText(findings.length)})`} padded={false}>
      <Table
        label="Findings"
        columns={COLUMNS}
        rows={allOf(findings)}
        keyOf={({ id }) => id}
        height="many"
        empty={
          <Empty icon={<CircleCheck className="size-5" />} title="No risks found">
            No rule matches the plan’s changes.
          </Empty>
        }
      />
    </Card>
  );
}

/** Folds a template's text, because it repeats the findings. */
function Words({ narrative }: Pick<AnalyzeResult, "narrative">) {
  return (
    <Card>
      <details>
        <summary className="w-fit font-semibold">Summary</summary>
        <div className="mt-4">
          <Narrative narrative={narrative} />
        </div>
      </details>
    </Card>
  );
}

function Gate({ result: { gate, risk_level: risk } }: { result: AnalyzeResult }) {
  const { fail_on: limit, passed } = gate;
  if (limit === "never") return undefined;
  return (
    <Notice tone={passed ? "good" : "critical"} title={passed ? "Gate passed" : "Gate failed"}>
      <p>
        Risk is {risk}, limit is {limit}.
      </p>
    </Notice>
  );
}

const ACTIONS = ["create", "update", "replace", "delete", "import", "forget"] as const;

/** Shows how many resources the plan creates, changes or deletes. */
function Summary({ summary }: Pick<AnalyzeResult, "summary">) {
  const { move = 0 } = summary;
  return (
    <dl className="grid grid-cols-3 gap-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
      {[...ACTIONS, ...(move > 0 ? (["move"] as const) : [])].map((action) => (
        <div key={action} className="bg-surface border-line shadow-flat rounded-xl border px-4 py-3">
          <dt className="text-muted text-xs font-medium">{inWords(action)}</dt>
          <dd className="text-xl leading-7 font-semibold tabular-nums">{countText(summary[action] ?? 0)}</dd>
        </div>
      ))}
    </dl>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  { title: "Risk", width: "7rem", cell: ({ risk_level: level }) => <LevelBadge level={level} /> },
  { title: "Finding", width: "minmax(16rem, 3fr)", below: true, cell: (row) => <What row={row} /> },
  { title: "Rule", width: "minmax(8rem, 1fr)", cell: ({ rule, flag }) => <Rule rule={rule} flag={flag} /> },
];

function What({ row: { message, address, paths, replace_paths: replaced = [] } }: { row: Finding }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="wrap-anywhere">{message}</p>
      {address !== "" && <code className="text-muted font-mono text-xs break-all">{address}</code>}
      <Evidence name="Evidence:" paths={paths} />
      <Evidence name="Replaced because of" paths={replaced} />
    </div>
  );
}

function Evidence({ name, paths }: { name: string; paths: Finding["paths"] }) {
  if (paths.length === 0) return undefined;
  return (
    <p className="text-muted text-xs">
      {name} <code className="text-ink font-mono break-all">{paths.map(pathText).join(", ")}</code>
    </p>
  );
}

function Rule({ rule, flag }: Pick<Finding, "rule" | "flag">) {
  return (
    <div className="min-w-0">
      <div className="font-mono text-xs">{rule}</div>
      <div className="text-muted truncate text-xs">{inWords(flag)}</div>
    </div>
  );
}

function Comment({ comment: { posted, url, error } }: { comment: NonNullable<AnalyzeResult["comment"]> }) {
  return (
    <Card title="Comment">
      {posted
        ? "Comment posted. "
        : error === undefined
          ? "The comment couldn’t be posted."
          : reasonText(error)}
      {url !== undefined && <OutLink to={url}>View comment</OutLink>}
    </Card>
  );
}

import { CircleCheck } from "lucide-react";

import type { AnalyzeResult, Finding } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { OutLink } from "../../ui/out-link.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import { pathText } from "../../ui/value-change.tsx";
import { Narrative } from "../narrative.tsx";
import { reasonText } from "../webhooks/reasons.ts";
import { inWords } from "../words.ts";
import { PlanDrift } from "./plan-drift.tsx";
import { PlanNoise } from "./plan-noise.tsx";

/** What a plan says: the gate, the words, what is dangerous, what drifted, and what is noise. */
export function Analysis({ result }: { result: AnalyzeResult }) {
  const { findings, drift, noise, warnings, comment, narrative, errored } = result;
  const isTemplate = narrative.source === "template";
  return (
    <>
      <Gate gate={result.gate} />
      {errored && (
        <Notice tone="critical" title="The plan failed">
          <p>What it would do isn’t known: here is what it got to.</p>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="medium" title={countOf(warnings.length, "warning")}>
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
      <Summary summary={result.summary} />
      {!isTemplate && <Words narrative={result.narrative} />}
      <Card title={`Findings, worst first (${countText(findings.length)})`} padded={false}>
        <Table
          label="Findings"
          columns={COLUMNS}
          rows={allOf(findings)}
          keyOf={({ id }) => id}
          tall
          empty={
            errored ? (
              <Empty title="Nothing is known">The plan failed.</Empty>
            ) : (
              <Empty icon={<CircleCheck className="size-5" />} title="Nothing dangerous was found">
                No rule speaks against what the plan changes.
              </Empty>
            )
          }
        />
      </Card>
      {isTemplate && <Words narrative={result.narrative} />}
      {drift.length > 0 && <PlanDrift drift={drift} />}
      {noise.length > 0 && <PlanNoise noise={noise} />}
      {comment && <Comment comment={comment} />}
    </>
  );
}

/** What a model wrote; what rules put together repeats the findings, and is folded away. */
function Words({ narrative }: Pick<AnalyzeResult, "narrative">) {
  if (narrative.source !== "template") {
    return (
      <Card title="In words">
        <Narrative narrative={narrative} />
      </Card>
    );
  }
  return (
    <Card>
      <details>
        <summary className="w-fit font-semibold">In words</summary>
        <div className="mt-4">
          <Narrative narrative={narrative} />
        </div>
      </details>
    </Card>
  );
}

function Gate({ gate: { fail_on: level, passed } }: Pick<AnalyzeResult, "gate">) {
  if (level === "never") return undefined;
  return (
    <Notice tone={passed ? "good" : "critical"} title={passed ? "The gate is passed" : "The gate is failed"}>
      <p>It fails from the risk {level} on.</p>
    </Notice>
  );
}

const DEEDS = ["create", "update", "replace", "delete", "import", "forget"] as const;

/** How many resources the plan does what to. */
function Summary({ summary }: Pick<AnalyzeResult, "summary">) {
  const { move = 0 } = summary;
  return (
    <dl className="grid grid-cols-3 gap-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
      {[...DEEDS, ...(move > 0 ? (["move"] as const) : [])].map((deed) => (
        <div key={deed} className="bg-surface border-line shadow-flat rounded-xl border px-4 py-3">
          <dt className="text-muted text-xs font-medium">{inWords(deed)}</dt>
          <dd className="text-xl leading-7 font-semibold tabular-nums">{countText(summary[deed] ?? 0)}</dd>
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
      <Evidence name="Because of" paths={paths} />
      <Evidence name="Replaced for" paths={replaced} />
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
      {posted ? "It was written. " : error === undefined ? "It couldn’t be written." : reasonText(error)}
      {url !== undefined && <OutLink to={url}>See it there</OutLink>}
    </Card>
  );
}

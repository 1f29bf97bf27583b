import { ChevronRight } from "lucide-react";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";

import { RETENTION_DAYS } from "../../api/later-sets.gen.ts";
import { useRead } from "../../api/hooks.ts";
import type { AnalyzeResult, Finding } from "../../api/openapi.gen.ts";
import { LevelBadge, type Level } from "../../ui/badge.tsx";
import { classNames } from "../../ui/class-names.ts";
import { TextField } from "../../ui/field.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Some } from "../../ui/some.tsx";
import { Read } from "../../ui/states.tsx";
import { ValueChange } from "../../ui/value-change.tsx";
import { inWords } from "../words.ts";
import {
  countsOf,
  planTree,
  type PlanAction,
  type PlanChange,
  type PlanLeaf,
  type PlanModule,
} from "./plan-tree.ts";

/** Modules with more changes are closed at first. */
const MAX_OPEN = 30;

interface PlanChangesProps {
  jobId: string;
  findings: AnalyzeResult["findings"];
}

/** Shows what a plan changes as a tree of modules, resources and attributes. */
export function PlanChanges({ jobId, findings }: PlanChangesProps) {
  const changes = useRead("GET /orgs/{id}/llm-jobs/{job_id}/changes", { params: { job_id: jobId } });
  if (changes.error?.status === 404) {
    return (
      <Card title="Changes">
        <p className="text-muted">
          A plan’s changes are kept for {RETENTION_DAYS.inputs} days. A plan that needs no attention keeps
          none.
        </p>
      </Card>
    );
  }
  return (
    <Read read={changes}>
      {({ data, total_count: total }) => (
        <Tree jobId={jobId} findings={findings} changes={data} total={total} />
      )}
    </Read>
  );
}

interface TreeProps extends PlanChangesProps {
  changes: readonly PlanChange[];
  total: number;
}

function Tree({ jobId, findings, changes, total }: TreeProps) {
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim().toLowerCase());
  const byAddress = useMemo(() => Map.groupBy(findings, ({ address }) => address), [findings]);
  const tree = useMemo(() => {
    const found =
      text === "" ? changes : changes.filter(({ address }) => address.toLowerCase().includes(text));
    return planTree(found, (address) => byAddress.get(address)?.[0]?.risk_level);
  }, [changes, text, byAddress]);
  return (
    <Card
      title={`Changes (${countText(total)})`}
      actions={
        <TextField
          bare
          type="search"
          label="Find an address"
          placeholder="Find an address"
          className="w-40 sm:w-64"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      }
    >
      {total > changes.length && (
        <p className="text-muted mb-3">The first {countText(changes.length)} are listed.</p>
      )}
      {tree.count === 0 && <p className="text-muted">No address contains this text.</p>}
      <Below
        key={text === "" ? "all" : "found"}
        module={tree}
        of={{ jobId, byAddress, isFound: text !== "" }}
      />
    </Card>
  );
}

/** On narrow screens, a name has a line of its own. */
const NAME = "min-w-0 flex-1 font-mono text-xs break-all narrow:order-last narrow:basis-full narrow:pl-6";

interface OfPlan {
  jobId: string;
  byAddress: ReadonlyMap<string, readonly Finding[]>;
  /** Whether the tree shows only what was searched for. */
  isFound: boolean;
}

/** Lists what is in a module. */
function Below({ module: { modules, leaves }, of }: { module: PlanModule; of: OfPlan }) {
  return (
    <ul className="flex flex-col">
      <Some items={leaves}>
        {(leaf) => (
          <Resource key={`${leaf.change.address} ${leaf.change.deposed ?? ""}`} leaf={leaf} of={of} />
        )}
      </Some>
      <Some items={modules}>{(module) => <Module key={module.address} module={module} of={of} />}</Some>
    </ul>
  );
}

function Module({ module, of }: { module: PlanModule; of: OfPlan }) {
  return (
    <Node
      isOpen={module.count <= MAX_OPEN}
      head={
        <>
          <code className={classNames(NAME, "font-semibold")}>{module.name}</code>
          <span className="text-muted text-xs">
            {countsOf(module)
              .map(([action, count]) => `${countText(count)} ${inWords(action).toLowerCase()}`)
              .join(", ")}
          </span>
          <Risk level={module.level} />
        </>
      }
    >
      <Below module={module} of={of} />
    </Node>
  );
}

function Resource({ leaf: { name, change, action, level }, of }: { leaf: PlanLeaf; of: OfPlan }) {
  return (
    <Node
      head={
        <>
          <Sign action={action} />
          <code className={NAME}>
            {name}
            {change.deposed !== undefined && ` (deposed ${change.deposed})`}
          </code>
          {change.attribute_count > 0 && (
            <span className="text-muted text-xs">{countOf(change.attribute_count, "attribute")}</span>
          )}
          <Risk level={level} />
        </>
      }
    >
      <Inside change={change} findings={of.byAddress.get(change.address) ?? []} jobId={of.jobId} />
    </Node>
  );
}

function Risk({ level }: { level: Level }) {
  return level === "none" ? undefined : <LevelBadge level={level} />;
}

interface NodeProps {
  isOpen?: boolean;
  head: ReactNode;
  /** Rendered only while it is open. */
  children: ReactNode;
}

function Node({ isOpen: isOpenAtFirst = false, head, children }: NodeProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li className="flex flex-col">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="hover:bg-sunken flex min-h-9 w-full flex-wrap items-center gap-2 rounded-lg px-2 py-1 text-left"
      >
        <ChevronRight
          aria-hidden="true"
          className={classNames("text-muted size-4 shrink-0", isOpen && "rotate-90")}
        />
        {head}
      </button>
      {isOpen && <div className="border-line ml-4 flex flex-col border-l pl-2">{children}</div>}
    </li>
  );
}

const SIGNS: Readonly<Record<PlanAction, { sign: string; className: string }>> = {
  create: { sign: "+", className: "text-good" },
  update: { sign: "~", className: "text-medium" },
  replace: { sign: "±", className: "text-critical" },
  delete: { sign: "−", className: "text-critical" },
  forget: { sign: "×", className: "text-muted" },
  import: { sign: "↓", className: "text-accent" },
  move: { sign: "→", className: "text-accent" },
};

function Sign({ action }: { action: PlanAction }) {
  const { sign, className } = SIGNS[action];
  return (
    <span className={classNames("flex w-20 shrink-0 items-center gap-1.5 text-xs", className)}>
      <span aria-hidden="true" className="w-3 text-center font-mono text-sm">
        {sign}
      </span>
      {inWords(action)}
    </span>
  );
}

interface InsideProps {
  change: PlanChange;
  findings: readonly Finding[];
  jobId: string;
}

/** Shows the findings and the attributes of a resource, which are read when it is opened. */
function Inside({ change: { address, deposed, previous_address: moved }, findings, jobId }: InsideProps) {
  const read = useRead("GET /orgs/{id}/llm-jobs/{job_id}/changes", {
    params: { job_id: jobId },
    query: { address },
  });
  return (
    <div className="flex flex-col gap-2 py-2 pl-2">
      {moved !== undefined && (
        <p className="text-muted text-xs">
          Moved from <code className="font-mono break-all">{moved}</code>
        </p>
      )}
      {findings.map(({ id, message, rule, risk_level: level }) => (
        <p key={id} className="flex flex-wrap items-center gap-2">
          <LevelBadge level={level} />
          <span className="min-w-0 wrap-anywhere">{message}</span>
          <span className="text-muted font-mono text-xs">{rule}</span>
        </p>
      ))}
      <Read read={read}>
        {({ data }) => <Attributes change={data.find((one) => one.deposed === deposed)} />}
      </Read>
    </div>
  );
}

function Attributes({ change }: { change: PlanChange | undefined }) {
  const { attribute_changes: attributes = [], attribute_count: count = 0 } = change ?? {};
  if (attributes.length === 0) return <p className="text-muted">No attribute differs.</p>;
  return (
    <>
      <Some items={attributes}>
        {(attribute) => <ValueChange key={JSON.stringify(attribute.path)} change={attribute} />}
      </Some>
      {count > attributes.length && (
        <p className="text-muted">
          The first {countText(attributes.length)} of {countText(count)} are shown.
        </p>
      )}
    </>
  );
}

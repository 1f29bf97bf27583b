import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Badge, LevelBadge } from "../../ui/badge.tsx";
import { countOf } from "../../ui/number.ts";
import { Facts } from "../../ui/facts.tsx";
import { Some } from "../../ui/some.tsx";
import { Moment, Time } from "../../ui/time.tsx";
import { TreeChange } from "../../ui/tree-change.tsx";
import { useAccounts } from "../accounts.ts";
import { personName } from "../person.ts";
import { RuleEffects } from "./rule-effects.tsx";
import { Decided, KIND_NAMES, type DriftChangeDetail } from "./change.tsx";
import { ChangingPlans } from "./changing-plans.tsx";
import { DecidedBy } from "./decided-by.tsx";
import { DeclaredAt } from "./declared-at.tsx";
import { DecisionHistory } from "./decision-history.tsx";
import { Reasons } from "./reasons.tsx";
import { Settle } from "./settle.tsx";
import { Versions } from "./versions.tsx";

const LINK = "text-accent underline underline-offset-4";

/** Shows everything about one change: what differs, who did it, what was decided, and where it is declared. */
export function ChangeDetail({ change }: { change: DriftChangeDetail }) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <div className="flex flex-col gap-2">
        <p className="flex flex-wrap items-center gap-2">
          <LevelBadge level={change.risk_level} />
          <Badge>{KIND_NAMES[change.kind]}</Badge>
          {change.noise && <Badge title="Changes nothing">Noise</Badge>}
          {change.disposition.status !== "open" && <Decided disposition={change.disposition} />}
        </p>
        <Reasons flags={change.risk_flags.filter(({ rule }) => !isPlain(change, rule))} />
        <RuleEffects change={change} />
      </div>
      <Part title="What differs">
        {change.attribute_changes.length === 0 ? (
          <p className="text-muted">{WHOLE[change.kind]}</p>
        ) : (
          <>
            <p className="text-muted text-xs">− declared, + live</p>
            <Some items={change.attribute_changes}>
              {(value) => <TreeChange key={JSON.stringify(value.path)} change={value} />}
            </Some>
          </>
        )}
      </Part>
      <Part title="Settle">
        <Settle key={change.fingerprint} change={change} />
      </Part>
      <Part title="Who and when">
        <Who change={change} />
      </Part>
      <Part title="Where">
        <Where change={change} />
      </Part>
      {change.decisions && change.decisions.length > 0 && (
        <Part title="Decisions">
          <DecisionHistory decisions={change.decisions} />
        </Part>
      )}
      {change.versions.length > 1 && (
        <Part title="History">
          <Versions versions={change.versions} />
        </Part>
      )}
    </div>
  );
}

/** Whether a finding only repeats that an undeclared resource exists. */
function isPlain({ kind }: DriftChangeDetail, rule: string): boolean {
  return kind === "undeclared" && rule === "R20";
}

const WHOLE: Readonly<Record<DriftChangeDetail["kind"], string>> = {
  changed: "The attributes aren’t known.",
  missing: "The code declares this resource, but it no longer exists.",
  undeclared: "This resource exists, but no code declares it.",
  pending: "The code isn’t applied yet.",
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Who({ change }: { change: DriftChangeDetail }) {
  const { actor, first_seen_at: first, seen_count: count, disposition } = change;
  const orgId = useOrgId();
  return (
    <Facts
      facts={[
        [
          "Changed by",
          actor ? (
            <div key="by">
              <Link
                to="/orgs/$orgId/drift"
                params={{ orgId }}
                search={{ principal: actor.principal }}
                title="All changes by this person"
                className={LINK}
              >
                {personName(actor.principal)}
              </Link>{" "}
              with {actor.event}, <Time at={actor.at} />
              <code className="text-muted block font-mono text-xs break-all">{actor.principal}</code>
            </div>
          ) : (
            "Unknown: no audit log names a person"
          ),
        ],
        ["First seen", <Moment key="first" at={first} />],
        ["Seen in", countOf(count, "snapshot")],
        ...(disposition.by
          ? [
              [
                "Decided by",
                <span key="decided">
                  <DecidedBy actor={disposition.by} />
                  {disposition.at !== undefined && (
                    <>
                      , <Time at={disposition.at} />
                    </>
                  )}
                </span>,
              ] as const,
            ]
          : []),
      ]}
    />
  );
}

function Where({ change }: { change: DriftChangeDetail }) {
  const orgId = useOrgId();
  const { nameOf } = useAccounts();
  const {
    source,
    address,
    module_address: module,
    live_resource_id: live,
    cloud_account_id: account,
  } = change;
  const facts: [string, ReactNode][] = [
    [
      "Account",
      <Link
        key="account"
        to="/orgs/$orgId/accounts/$accountId"
        params={{ orgId, accountId: account }}
        className={LINK}
      >
        {nameOf(account)}
      </Link>,
    ],
    ["Type", change.resource_type],
  ];
  if (live !== undefined) {
    facts.push([
      "Resource",
      <Link
        key="live"
        to="/orgs/$orgId/inventory/$resourceId"
        params={{ orgId, resourceId: live }}
        className={LINK}
      >
        {change.resource_name ?? change.provider_resource_id ?? "Live resource"}
      </Link>,
    ]);
  } else if (change.provider_resource_id !== undefined) facts.push(["Resource", change.provider_resource_id]);
  if (address !== undefined) facts.push(["Address", <Code key="address">{address}</Code>]);
  if (module !== undefined) facts.push(["Module", <Code key="module">{module}</Code>]);
  if (source) {
    facts.push(["Source", <SourceLink key="source" source={source} />]);
    const isPresent = change.disposition.status !== "resolved";
    if (isPresent && address !== undefined)
      facts.push(
        ["Declared at", <DeclaredAt key="at" fingerprint={change.fingerprint} sourceId={source.id} />],
        ["Merge requests", <ChangingPlans key="requests" fingerprint={change.fingerprint} />],
      );
    facts.push(["Latest plan", <Planned key="plan" source={source} />]);
  }
  return <Facts facts={facts} />;
}

type Source = NonNullable<DriftChangeDetail["source"]>;

function SourceLink({ source: { id, name, repository } }: { source: Source }) {
  const orgId = useOrgId();
  return (
    <>
      <Link to="/orgs/$orgId/sources/$sourceId" params={{ orgId, sourceId: id }} className={LINK}>
        {name}
      </Link>
      {repository && (
        <span className="text-muted">
          {" "}
          in {repository.host === undefined ? "" : `${repository.host}/`}
          {repository.path}
        </span>
      )}
    </>
  );
}

const PLANNED = { drift: "shows this drift", pending: "changes this address" } as const;

function Planned({ source: { planned_at: at, planned } }: { source: Source }) {
  const orgId = useOrgId();
  if (at === undefined) return <span className="text-muted">None reported</span>;
  return (
    <span>
      <Link to="/orgs/$orgId/plans" params={{ orgId }} className={LINK}>
        <Time at={at} />
      </Link>
      {planned === undefined ? ", doesn’t show this address" : `, ${PLANNED[planned]}`}
    </span>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs break-all">{children}</code>;
}

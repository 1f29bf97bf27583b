import { Link, type LinkProps } from "@tanstack/react-router";
import type { MouseEvent as ReactMouseEvent, ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Badge, LevelBadge } from "../../ui/badge.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Time } from "../../ui/time.tsx";
import { personName } from "../person.ts";
import { Decided, KIND_NAMES, nameOfChange, resourceOf, type DriftChange } from "./change.tsx";
import { differenceText } from "./difference.ts";
import { driftSearch } from "./search.ts";

export interface ChangeColumns {
  /** Returns the name of an account. */
  nameOf: (accountId: string) => string;
  /** Renders what can be done about a change. */
  actions?: (change: DriftChange) => ReactNode;
  /** Opens a change beside the list. Without it, and on narrow screens, a change opens as a page. */
  onOpen?: (fingerprint: string) => void;
  /** Fingerprint of the change that is open beside the list, which leaves room for its main columns only. */
  opened?: string | undefined;
}

/** Returns the columns of changes. */
export function changeColumns({ nameOf, actions, onOpen, opened }: ChangeColumns) {
  const main = [
    {
      title: "Risk",
      width: "6rem",
      sort: "risk",
      cell: ({ risk_level: level }: DriftChange) => <LevelBadge level={level} />,
    },
    {
      title: "Change",
      width: "minmax(14rem, 3fr)",
      below: true,
      bare: true,
      fixed: true,
      cell: (change: DriftChange) => (
        <What
          change={change}
          nameOf={nameOf}
          onOpen={onOpen}
          isOpened={opened === change.fingerprint}
          isShort={opened !== undefined}
        />
      ),
    },
  ];
  const details = opened === undefined ? detailsOf(nameOf) : [];
  const last =
    actions === undefined
      ? []
      : [{ title: "Actions", width: "4.5rem", end: true, bare: true, fixed: true, cell: actions }];
  return [...main, ...details, ...last];
}

const detailsOf = (nameOf: ChangeColumns["nameOf"]) => [
  { title: "Who", width: "7rem", wide: true, cell: (change: DriftChange) => <Who change={change} /> },
  {
    title: "Account",
    width: "minmax(6.5rem, 0.8fr)",
    wide: true,
    cell: ({ cloud_account_id: id }: DriftChange) => <Account name={nameOf(id)} />,
  },
  {
    title: "Since",
    width: "6.75rem",
    wide: true,
    sort: "first_seen_at",
    cell: ({ first_seen_at: at }: DriftChange) => <Time at={at} />,
  },
];

interface WhatProps {
  change: DriftChange;
  nameOf: ChangeColumns["nameOf"];
  onOpen: ChangeColumns["onOpen"];
  isOpened: boolean;
  /** Whether there is little room, which the name gets. */
  isShort: boolean;
}

function What({ change, nameOf, onOpen, isOpened, isShort }: WhatProps) {
  const { kind, disposition, noise } = change;
  return (
    <div className="flex min-w-0 items-center gap-x-2.5 gap-y-1 narrow:flex-wrap">
      <ChangeLink change={change} onOpen={onOpen} isOpened={isOpened} isShort={isShort} />
      {kind !== "changed" && <Badge>{KIND_NAMES[kind]}</Badge>}
      {noise && (
        <Badge title={`Changes nothing; confidence ${Math.round(noise.confidence * 100)}%`}>Noise</Badge>
      )}
      <span
        title={differenceText(change)}
        className={`text-muted min-w-0 text-xs lg:truncate narrow:w-full narrow:wrap-anywhere ${isShort ? "" : "lg:max-w-3/5 lg:shrink-2"}`}
      >
        {differenceText(change)}
      </span>
      {disposition.status !== "open" && <Decided disposition={disposition} brief />}
      <Brief change={change} nameOf={nameOf} />
    </div>
  );
}

/** Shows on narrow screens in one line what has columns on others. */
function Brief({ change, nameOf }: Pick<WhatProps, "change" | "nameOf">) {
  const { actor, cloud_account_id: account, first_seen_at: at } = change;
  return (
    <span className="text-muted w-full text-xs wrap-anywhere lg:hidden">
      {actor && `${personName(actor.principal)} · `}
      {nameOf(account)} · <Time at={at} />
    </span>
  );
}

const LINK_CLASS =
  "min-w-0 font-medium underline-offset-4 hover:underline aria-[current]:text-accent lg:flex narrow:wrap-anywhere";

function ChangeLink({ change, onOpen, isOpened, isShort }: Omit<WhatProps, "nameOf">) {
  const orgId = useOrgId();
  const { fingerprint } = change;
  const open = (event: ReactMouseEvent): void => {
    if (!onOpen || !isPlain(event) || !matchMedia("(min-width: 64rem)").matches) return;
    event.preventDefault();
    onOpen(fingerprint);
  };
  const to: LinkProps["to"] = "/orgs/$orgId/drift/$fingerprint";
  return (
    <Link
      to={to}
      params={{ orgId, fingerprint }}
      data-row
      aria-current={isOpened || undefined}
      aria-label={nameOfChange(change)}
      title={resourceOf(change)}
      onClick={open}
      className={classNames(
        LINK_CLASS,
        isShort ? "lg:max-w-3/5 lg:shrink-0" : isTyped(change) && "lg:shrink-30",
      )}
    >
      <NameParts change={change} />
    </Link>
  );
}

/** Returns whether a change's name begins with its type, which gives way before what differs. */
function isTyped(change: DriftChange): boolean {
  return nameOfChange(change).startsWith(`${change.resource_type}.`);
}

/**
 * Shows a name so that its type gives way first where there isn't enough room. The factor is so large because the name
 * would end in an ellipsis if it gave way by a tenth of a pixel.
 */
function NameParts({ change }: { change: DriftChange }) {
  const name = nameOfChange(change);
  const prefix = `${change.resource_type}.`;
  if (!isTyped(change)) return <span className="lg:truncate">{name}</span>;
  return (
    <>
      <span className="text-muted font-normal lg:shrink-[9999999] lg:truncate">{prefix}</span>
      <span className="lg:truncate">{name.slice(prefix.length)}</span>
    </>
  );
}

/** Returns whether a click doesn't ask for another tab or window. */
function isPlain({ ctrlKey, metaKey, shiftKey, altKey }: ReactMouseEvent): boolean {
  return !ctrlKey && !metaKey && !shiftKey && !altKey;
}

function Who({ change: { actor } }: { change: DriftChange }) {
  const orgId = useOrgId();
  if (!actor) return <span className="text-muted">Unknown</span>;
  return (
    <Link
      to="/orgs/$orgId/drift"
      params={{ orgId }}
      search={(before) => driftSearch({ ...before, principal: actor.principal })}
      title={`${actor.principal}, ${actor.event}. Show only this person’s changes`}
      className="block underline-offset-4 hover:underline lg:truncate narrow:wrap-anywhere"
    >
      {personName(actor.principal)}
    </Link>
  );
}

function Account({ name }: { name: string }) {
  return (
    <span title={name} className="block lg:truncate narrow:wrap-anywhere">
      {name}
    </span>
  );
}

import { Link } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { countText } from "../../ui/number.ts";
import type { driftSearch } from "../drift/search.ts";
import { personName } from "../person.ts";
import { inWords } from "../words.ts";
import type { Movement } from "./movement.ts";

const MAX_SHOWN = 5;
type Mover = Movement["accounts"][number];
type Search = ReturnType<typeof driftSearch>;

interface MoversProps {
  movement: Movement;
  since: string;
  nameOfAccount: (accountId: string) => string;
}

/** Counts what moved by account, risk level, person and type. Each line leads to its changes. */
export function Movers({ movement, since, nameOfAccount }: MoversProps) {
  return (
    <div className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
      <List
        title="By account"
        movers={movement.accounts}
        nameOf={nameOfAccount}
        searchOf={(key) => ({ since, account_id: key })}
      />
      <List
        title="By person"
        movers={movement.people}
        nameOf={personName}
        searchOf={(key) => ({ since, principal: key })}
      />
      <List
        title="By type"
        movers={movement.types}
        nameOf={(key) => key}
        searchOf={(key) => ({ since, resource_type: key })}
      />
      <List
        title="By risk"
        isLeveled={false}
        movers={movement.levels}
        nameOf={inWords}
        searchOf={(key) => ({ since, ...levelOf(key) })}
      />
    </div>
  );
}

function levelOf(key: string): Pick<Search, "risk_level"> {
  const levels = ["critical", "high", "medium", "low", "none"] as const;
  const level = levels.find((one) => one === key);
  return level === undefined ? {} : { risk_level: level };
}

interface ListProps {
  title: string;
  movers: readonly Mover[];
  nameOf: (key: string) => string;
  searchOf: (key: string) => Search;
  /** Whether to show the highest level of each line. */
  isLeveled?: boolean;
}

function List({ title, movers, nameOf, searchOf, isLeveled = true }: ListProps) {
  const orgId = useOrgId();
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="text-muted text-xs font-medium">{title}</h3>
      {movers.length === 0 && <p className="text-muted">Unknown</p>}
      <ul>
        {movers.slice(0, MAX_SHOWN).map((mover) => (
          <li key={mover.key} className="flex min-h-8 items-center gap-3">
            <Link
              to="/orgs/$orgId/drift"
              params={{ orgId }}
              search={isOnlyGone(mover) ? { ...searchOf(mover.key), movement: "gone" } : searchOf(mover.key)}
              title={mover.key}
              className="min-w-0 flex-1 font-medium underline-offset-4 hover:underline lg:truncate narrow:wrap-anywhere"
            >
              {nameOf(mover.key)}
            </Link>
            <Moved mover={mover} isLeveled={isLeveled} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function isOnlyGone({ new_count: fresh, worse_count: worse }: Mover): boolean {
  return fresh + worse === 0;
}

function Moved({ mover, isLeveled }: { mover: Mover; isLeveled: boolean }) {
  const { new_count: fresh, worse_count: worse, gone_count: gone, risk_level: level } = mover;
  const parts = [
    fresh > 0 && `${countText(fresh)} new`,
    worse > 0 && `${countText(worse)} worse`,
    gone > 0 && `${countText(gone)} gone`,
  ].filter(Boolean);
  return (
    <span className="flex shrink-0 items-center gap-2">
      <span className="text-muted text-xs tabular-nums">{parts.join(", ")}</span>
      {isLeveled && !isOnlyGone(mover) && level !== "none" && <LevelBadge level={level} />}
    </span>
  );
}

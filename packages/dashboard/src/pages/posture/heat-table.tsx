import { Link } from "@tanstack/react-router";
import { useState, type KeyboardEvent } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { classNames } from "../../ui/class-names.ts";
import { dayText } from "../../ui/day-chart.tsx";
import { useAccounts } from "../accounts.ts";
import { countsOf, countsText, worstOf, type TrendPoint } from "./days.ts";

const LOOKS = {
  critical: ["C", "bg-critical-soft text-critical"],
  high: ["H", "bg-high-soft text-high"],
  medium: ["M", "bg-medium-soft text-medium"],
  low: ["L", "bg-low-soft text-low"],
  none: ["·", "bg-good-soft text-good"],
} as const;

/** Number of days that fit on a narrow screen. */
const NARROW_DAYS = 9;

interface HeatTableProps {
  /** Ids of the accounts, in order. */
  accounts: readonly string[];
  points: readonly TrendPoint[];
  dates: readonly string[];
}

/** Shows the worst open level of each account on each day, as a colour and a letter. Each day leads to its snapshot. */
export function HeatTable({ accounts, points, dates }: HeatTableProps) {
  const { nameOf } = useAccounts();
  const known = new Map(points.map((point) => [point.cloud_account_id + point.date, point]));
  const [chosen, setChosen] = useState<string>();
  const current = [chosen ?? "", ...latestOf(accounts, dates)].find((key) => known.has(key));
  return (
    <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs" onKeyDown={goBeside}>
      <caption className="text-muted pb-2 text-left">
        Worst open level by account and day: C critical, H high, M medium, L low, · none. Empty days have no
        snapshot.
      </caption>
      <thead>
        <tr className="text-muted">
          <th className="w-32 text-left font-medium lg:w-44">Account</th>
          {dates.map((date, at) => (
            <th key={date} className={classNames("p-0 font-normal", isOld(at, dates) && "narrow:hidden")}>
              <span className="sr-only">{dayText(date)}</span>
              <span aria-hidden="true">{at % 2 === (dates.length - 1) % 2 && Number(date.slice(8))}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {accounts.map((id) => (
          <tr key={id}>
            <th scope="row" className="text-left font-medium">
              <Account id={id} name={nameOf(id)} />
            </th>
            {dates.map((date, at) => {
              const point = known.get(id + date);
              return (
                <td key={date} className={classNames("p-0", isOld(at, dates) && "narrow:hidden")}>
                  {point && (
                    <Cell
                      point={point}
                      account={nameOf(id)}
                      isCurrent={id + date === current}
                      onFocus={() => setChosen(id + date)}
                    />
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isOld(at: number, dates: readonly string[]): boolean {
  return at < dates.length - NARROW_DAYS;
}

/** Returns the keys of all days, account by account, newest first. */
function latestOf(accounts: readonly string[], dates: readonly string[]): string[] {
  return accounts.flatMap((id) => dates.toReversed().map((date) => id + date));
}

function Account({ id, name }: { id: string; name: string }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/accounts/$accountId"
      params={{ orgId, accountId: id }}
      title={name}
      className="block truncate underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}

interface CellProps {
  point: TrendPoint;
  account: string;
  /** Whether Tab reaches it; the arrow keys reach all. */
  isCurrent: boolean;
  onFocus: () => void;
}

function Cell({ point, account, isCurrent, onFocus }: CellProps) {
  const orgId = useOrgId();
  const counts = countsOf(point);
  const [letter, look] = LOOKS[worstOf(counts)];
  const text = `${account}, ${dayText(point.date)}: ${countsText(counts)}`;
  return (
    <Link
      to="/orgs/$orgId/drift/snapshots/$snapshotId"
      params={{ orgId, snapshotId: point.drift_snapshot_id }}
      aria-label={text}
      title={text}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      preload={false}
      className={classNames("flex h-6 items-center justify-center rounded-sm font-medium", look)}
    >
      {letter}
    </Link>
  );
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Moves the focus to the nearest day with a snapshot in the direction of an arrow key. */
function goBeside(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const cell = event.target instanceof Element ? event.target.closest("td") : null;
  if (!step || !cell) return;
  event.preventDefault();
  const { rows } = event.currentTarget;
  let row = rowOf(cell) + step[0];
  let column = cell.cellIndex + step[1];
  while (rows[row]?.cells[column]) {
    const link = rows[row]?.cells[column]?.querySelector<HTMLElement>("td > a");
    if (link?.checkVisibility()) return link.focus();
    row += step[0];
    column += step[1];
  }
}

function rowOf(cell: HTMLTableCellElement): number {
  return cell.closest("tr")?.rowIndex ?? 0;
}

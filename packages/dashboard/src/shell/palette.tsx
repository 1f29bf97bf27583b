import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useId, useState, type KeyboardEvent } from "react";

import type { Row } from "../api/client.ts";
import { useRead } from "../api/hooks.ts";
import { useAccounts } from "../pages/accounts.ts";
import { DRIFT_VIEWS } from "../pages/drift/search.ts";
import { nameOf } from "../pages/inventory/name.ts";
import { RESOURCE_VIEWS } from "../pages/inventory/search.ts";
import { projectOf, titleOf, type ListedJob } from "../pages/job-title.ts";
import type { View } from "../pages/views/view.ts";
import { classNames } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import type { ACTIONS, PAGES } from "./places.ts";

interface Goal {
  id: string;
  text: string;
  kind: string;
  /** Path below the organization's. */
  path: string;
  search?: Record<string, unknown>;
}

const MAX_EACH = 6;
/** Number of plans that are searched. */
const LATEST_PLANS = 200;
/** Shorter texts would find nearly everything. */
const MIN_SEARCH = 2;

interface PaletteProps {
  orgId: string;
  /** Pages and actions, which the shell has loaded. */
  places: { pages: typeof PAGES; actions: typeof ACTIONS };
  onClose: () => void;
}

/** Finds pages, actions, views, accounts, sources, plans and resources by name, and goes to the chosen one. */
export function Palette({ orgId, places, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const list = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const goals = useGoals(text, places);
  const current = goals[Math.min(at, goals.length - 1)];
  const go = ({ path, search }: Goal): void => {
    onClose();
    void navigate({ to: `/orgs/${orgId}${path}`, ...(search && { search }) });
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && current) go(current);
    if (step === undefined || goals.length === 0) return;
    event.preventDefault();
    setAt((Math.min(at, goals.length - 1) + step + goals.length) % goals.length);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <TextField
        bare
        label="Page, action, view, account, source, plan or resource"
        placeholder="Page, action, view, account, source, plan or resource"
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={current && `${list}-${current.id}`}
        value={text}
        onKeyDown={move}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
      />
      <ul id={list} role="listbox" aria-label="Results" className="-mx-2 flex flex-col">
        {goals.map((goal) => (
          <li
            key={goal.id}
            id={`${list}-${goal.id}`}
            role="option"
            aria-selected={goal === current}
            onClick={() => go(goal)}
            className={classNames(
              "hover:bg-sunken flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-lg px-2",
              goal === current && "bg-sunken forced-colors:outline",
            )}
          >
            <span className="min-w-0 wrap-anywhere">{goal.text}</span>
            <span className="text-muted shrink-0 text-xs">{goal.kind}</span>
          </li>
        ))}
      </ul>
      {goals.length === 0 && <p className="text-muted">Nothing found</p>}
    </Dialog>
  );
}

function useGoals(typed: string, { pages, actions }: PaletteProps["places"]): Goal[] {
  const text = useDeferredValue(typed.trim());
  const isSearched = text.length >= MIN_SEARCH;
  const { options: accounts } = useAccounts();
  const sources = useRead("GET /orgs/{id}/iac-sources", { query: { limit: 500 } });
  const views = useRead("GET /orgs/{id}/views", {});
  const plans = useRead("GET /orgs/{id}/llm-jobs", {
    query: { kind: "analyze", limit: LATEST_PLANS },
    when: isSearched,
  });
  const resources = useRead("GET /orgs/{id}/resources", {
    query: { q: text, limit: MAX_EACH },
    when: isSearched,
  });
  const matches = (goals: Goal[]): Goal[] =>
    goals.filter((goal) => goal.text.toLowerCase().includes(text.toLowerCase())).slice(0, MAX_EACH);
  const pageGoals = pages.map(pageGoal);
  if (text === "") return pageGoals;
  return [
    ...matches(pageGoals),
    ...matches(actions.map(actionGoal)),
    ...matches(rowsOf(views).map(viewGoal)),
    ...matches(accounts.map(([id, name]) => ({ id, text: name, kind: "Account", path: `/accounts/${id}` }))),
    ...matches(rowsOf(sources).map(sourceGoal)),
    ...matches(rowsOf(plans).map(planGoal)),
    ...(isSearched ? rowsOf(resources).map(resourceGoal) : []),
  ];
}

function rowsOf<R>({ data }: { data: { data: R[] } | undefined }): R[] {
  return data?.data ?? [];
}

function pageGoal({ name, path, key }: (typeof PAGES)[number]): Goal {
  return { id: path.slice(1), text: name, kind: `Page, g ${key}`, path };
}

function actionGoal({ name, path }: (typeof ACTIONS)[number]): Goal {
  return { id: name.replaceAll(" ", "-"), text: name, kind: "Action", path };
}

function viewGoal({ id, name, page, filter }: View): Goal {
  const { path, searchOf } = page === "drift" ? DRIFT_VIEWS : RESOURCE_VIEWS;
  return { id, text: name, kind: "View", path, search: searchOf(filter) };
}

function sourceGoal({ id, name }: Row<"GET /orgs/{id}/iac-sources">): Goal {
  return { id, text: name, kind: "Source", path: `/sources/${id}` };
}

function planGoal(job: ListedJob): Goal {
  const text = [titleOf(job), projectOf(job)].filter(Boolean).join(", ");
  return { id: job.id, text, kind: "Plan", path: `/plans/${job.id}` };
}

function resourceGoal(row: Row<"GET /orgs/{id}/resources">): Goal {
  return { id: row.id, text: nameOf(row), kind: row.provider_type, path: `/inventory/${row.id}` };
}

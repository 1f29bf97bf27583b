import { useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";

import { CHANGE_GROUPINGS } from "../../api/closed-sets.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Select } from "../../ui/field.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { Typed } from "../../ui/typed.tsx";
import { useNow, timeInWords } from "../../ui/time.tsx";
import { hourText } from "../person.ts";
import { valuesOf } from "../search.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import { DriftFacet, FACETS } from "./drift-facet.tsx";
import { changesFilter, DRIFT_VIEWS, driftSearch } from "./search.ts";

const PATH = "/orgs/$orgId/drift";
const DAY_MS = 86_400_000;
const GROUPS = {
  cause: "By cause",
  kind: "By kind",
  risk: "By risk",
  decision: "By decision",
  region: "By region",
  type: "By type",
  module: "By module",
  account: "By account",
  person: "By person",
  person_hour: "By person and hour",
} as const;
const MOVES = [
  ["", "New or worse"],
  ["new", "New"],
  ["worse", "Worse"],
  ["gone", "Gone"],
] as const;

/** Shows the filters of the current changes, stored in the URL. */
export function DriftFilters() {
  const search = useSearch({ from: PATH, select: driftSearch });
  const navigate = useNavigate({ from: PATH });
  const filter = (changed: Record<string, unknown>): void =>
    void navigate({ search: (before) => driftSearch({ ...before, ...changed }), replace: true });
  const filters = changesFilter(search);
  return (
    <div role="search" className="flex flex-col gap-2 print:hidden">
      <FilterBar
        search={
          <Typed
            label="Name or address"
            value={search.q}
            onType={(text) => filter({ q: text })}
            className="w-full sm:w-48"
          />
        }
        count={Object.keys(filters).length + (search.group === undefined ? 0 : 1)}
        tools={<ViewsMenu viewed={DRIFT_VIEWS} search={search} />}
      >
        {FACETS.map((name) => (
          <DriftFacet key={name} name={name} filters={filters} onFilter={filter} />
        ))}
        <Since since={search.since} onFilter={filter} />
        {search.since !== undefined && (
          <Select
            bare
            label="What moved"
            value={search.movement ?? ""}
            options={MOVES}
            onChange={(movement) => filter({ movement })}
          />
        )}
        <Select
          bare
          label="Group"
          value={search.group ?? ""}
          options={[["", "Not grouped"], ...CHANGE_GROUPINGS.map((by) => [by, GROUPS[by]] as const)]}
          onChange={(group) => filter({ group, change: "" })}
        />
        <span className="flex h-8 items-center">
          <Check
            label="Show noise"
            checked={search.noise === "include"}
            onChange={(checked) => filter({ noise: checked ? "include" : "" })}
          />
        </span>
        {(Object.keys(filters).length > 0 || search.group !== undefined) && (
          <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </FilterBar>
      <Chips search={search} onRemove={(name) => filter({ [name]: "" })} />
    </div>
  );
}

interface PartProps {
  search: ReturnType<typeof driftSearch>;
  onFilter: (changed: Record<string, unknown>) => void;
}

function Since({ since, onFilter }: { since: string | undefined; onFilter: PartProps["onFilter"] }) {
  const now = useNow();
  const set = since === undefined ? [] : [["set", `Since ${timeInWords(new Date(since), now)}`] as const];
  const pick = (days: string): void => {
    if (days === "set") return;
    const from = days === "" ? "" : new Date(Date.now() - Number(days) * DAY_MS).toISOString();
    onFilter({ since: from, ...(days === "" && { movement: "" }) });
  };
  return (
    <Select
      bare
      label="Time"
      value={since === undefined ? "" : "set"}
      options={[
        ["", "Any time"],
        ...set,
        ["1", "Last 24 hours"],
        ["7", "Last 7 days"],
        ["30", "Last 30 days"],
      ]}
      onChange={pick}
    />
  );
}

const CHIPS = {
  tag: (value: string) => `Tag: ${value}`,
  person_hour: (value: string) => hourText(value),
  cause: () => "One cause",
  min_risk: (value: string) => `At least ${value}`,
  hidden: (value: string) => (value === "only" ? "Hidden by a rule" : "With hidden changes"),
} as const;

/** Shows the filters that come from links, each with a button that removes it. */
function Chips({ search, onRemove }: { search: PartProps["search"]; onRemove: (name: string) => void }) {
  const names = ["tag", "person_hour", "cause", "min_risk", "hidden"] as const;
  const set = names.flatMap((name) => {
    const values = valuesOf(search[name]);
    return values.length === 0 ? [] : [{ name, text: CHIPS[name](values.join(", ")) }];
  });
  if (set.length === 0) return undefined;
  return (
    <ul className="flex flex-wrap gap-2">
      {set.map(({ name, text }) => (
        <li key={name}>
          <Button aria-label={`Remove the filter ${text}`} onClick={() => onRemove(name)}>
            <span className="max-w-72 truncate">{text}</span>
            <X aria-hidden="true" className="size-3.5" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

import { useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";

import { CHANGE_GROUPINGS, DECISIONS, RISK_LEVELS } from "../../api/closed-sets.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Select } from "../../ui/field.tsx";
import { Typed } from "../../ui/typed.tsx";
import { useNow, timeInWords } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { hourText, personName } from "../person.ts";
import { inWords } from "../words.ts";
import { KindSelect } from "./change-filters.tsx";
import { driftSearch } from "./search.ts";

const PATH = "/orgs/$orgId/drift";
const DAY_MS = 86_400_000;
const GROUPS = {
  cause: "By cause",
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
  const { options } = useAccounts(search.account_id);
  const filter = (changed: Record<string, string>): void =>
    void navigate({ search: (before) => driftSearch({ ...before, ...changed }), replace: true });
  const { change: _change, sort: _sort, ...filters } = search;
  return (
    <div role="search" className="flex flex-col gap-2 print:hidden">
      <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <Typed
          label="Name or address"
          value={search.q}
          onType={(text) => filter({ q: text })}
          className="max-sm:col-span-2 sm:w-48"
        />
        <Select
          bare
          label="Account"
          value={search.account_id ?? ""}
          options={[["", "All accounts"], ...options]}
          onChange={(account) => filter({ account_id: account })}
          className="sm:max-w-52"
        />
        <KindSelect value={search.kind} onFilter={filter} />
        <Risk search={search} onFilter={filter} />
        <Select
          bare
          label="Decision"
          value={search.disposition ?? ""}
          options={[["", "Any decision"], ...DECISIONS.map((word) => [word, inWords(word)] as const)]}
          onChange={(word) => filter({ disposition: word })}
        />
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
        {Object.keys(filters).length > 0 && (
          <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </div>
      <Chips search={search} onRemove={(name) => filter({ [name]: "" })} />
    </div>
  );
}

interface PartProps {
  search: ReturnType<typeof driftSearch>;
  onFilter: (changed: Record<string, string>) => void;
}

/** Filters by one level, or from a level on. The latter leave ignored changes out, as the counts do. */
function Risk({ search, onFilter }: PartProps) {
  const value = search.min_risk === undefined ? (search.risk_level ?? "") : `${search.min_risk}+`;
  const above = ["high", "medium"].map((level) => [`${level}+`, `${inWords(level)} or above`] as const);
  const pick = (picked: string): void => {
    const isAbove = picked.endsWith("+");
    onFilter({
      risk_level: isAbove ? "" : picked,
      min_risk: isAbove ? picked.slice(0, -1) : "",
      ignored: isAbove ? "exclude" : "",
    });
  };
  return (
    <Select
      bare
      label="Risk"
      value={value}
      options={[["", "Any risk"], ...above, ...RISK_LEVELS.map((level) => [level, inWords(level)] as const)]}
      onChange={pick}
    />
  );
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
  principal: (value: string) => `Person: ${personName(value)}`,
  resource_type: (value: string) => `Type: ${value}`,
  module_address: (value: string) => `Module: ${value}`,
  person_hour: (value: string) => hourText(value),
  cause: () => "One cause",
} as const;

/** Shows the filters that come from links, each with a button that removes it. */
function Chips({ search, onRemove }: { search: PartProps["search"]; onRemove: (name: string) => void }) {
  const names = ["principal", "person_hour", "resource_type", "module_address", "cause"] as const;
  const set = names.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, text: CHIPS[name](value) }];
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

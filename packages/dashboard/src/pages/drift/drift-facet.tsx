import type { ReactNode } from "react";

import type { Query } from "../../api/client.ts";
import { useRead } from "../../api/hooks.ts";
import { useAccounts } from "../accounts.ts";
import { Facet, type Counts } from "../facet.tsx";
import { inWords } from "../words.ts";
import { keyText } from "./key-text.ts";
import type { changesFilter } from "./search.ts";

export const FACETS = [
  "account_id",
  "kind",
  "risk_level",
  "disposition",
  "resource_type",
  "region",
  "module_address",
  "principal",
] as const;

/** Labels of the facets, and the groupings that count their values. */
const OF_FACETS = {
  account_id: { label: "Account", by: "account" },
  kind: { label: "Kind", by: "kind" },
  risk_level: { label: "Risk", by: "risk" },
  disposition: { label: "Decision", by: "decision" },
  resource_type: { label: "Type", by: "type" },
  region: { label: "Region", by: "region" },
  module_address: { label: "Module", by: "module" },
  principal: { label: "Person", by: "person" },
} as const;

type Filters = ReturnType<typeof changesFilter>;

interface DriftFacetProps {
  name: (typeof FACETS)[number];
  filters: Filters;
  onFilter: (changed: Record<string, unknown>) => void;
}

/** Shows a filter of the current changes, with the number of changes that have each value. */
export function DriftFacet({ name, filters, onFilter }: DriftFacetProps) {
  const { nameOf } = useAccounts();
  const { label, by } = OF_FACETS[name];
  const isRisk = name === "risk_level";
  const others = without(filters, isRisk ? ["risk_level", "min_risk", "ignored"] : [name]);
  return (
    <Facet
      label={label}
      given={filters[name]}
      textOf={(value) => keyText(by, value, nameOf)}
      withCounts={(show) => <Counted query={{ ...others, by }} show={show} />}
      onFilter={(values) => onFilter({ [name]: values, ...(isRisk && { min_risk: "", ignored: "" }) })}
      {...(isRisk && { choices: atLeast(filters, onFilter) })}
    />
  );
}

interface CountedProps {
  query: Query<"GET /orgs/{id}/drift-change-groups">;
  show: (counts: Counts) => ReactNode;
}

function Counted({ query, show }: CountedProps) {
  return show(useRead("GET /orgs/{id}/drift-change-groups", { query }));
}

/** Returns the choices from a level on. They leave ignored changes out, as the counts on other pages do. */
function atLeast({ min_risk: least }: Filters, onFilter: DriftFacetProps["onFilter"]) {
  return (["high", "medium"] as const).map((level) => ({
    text: `${inWords(level)} or above`,
    isChosen: least === level,
    onChoose: () =>
      onFilter(
        least === level
          ? { min_risk: "", ignored: "" }
          : { risk_level: "", min_risk: level, ignored: "exclude" },
      ),
  }));
}

function without(filters: Filters, names: readonly (keyof Filters)[]): Filters {
  const others = { ...filters };
  for (const name of names) delete others[name];
  return others;
}

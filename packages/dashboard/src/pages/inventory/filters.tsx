import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { ENRICHMENT_STATUSES, MATCH_STATUSES } from "../../api/closed-sets.gen.ts";
import type { Query } from "../../api/client.ts";
import { useRead } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { FilterBar } from "../../ui/filter-bar.tsx";
import { Typed } from "../../ui/typed.tsx";
import { useAccounts } from "../accounts.ts";
import { Facet, type Counts } from "../facet.tsx";
import { oneOf } from "../search.ts";
import { inWords } from "../words.ts";
import { matchText } from "./match-badge.tsx";
import { ViewsMenu } from "../views/views-menu.tsx";
import { inventorySearch, RESOURCE_VIEWS, type InventorySearch } from "./search.ts";

const PATH = "/orgs/$orgId/inventory";
const SEEN = [
  ["", "Seen at any time"],
  ["1", "Seen in the last day"],
  ["7", "Seen in the last week"],
  ["30", "Seen in the last 30 days"],
] as const;

/** Shows the API's filters, stored in the URL. */
export function Filters() {
  const search = useSearch({ from: PATH, select: inventorySearch });
  const navigate = useNavigate({ from: PATH });
  const filter = (changed: Record<string, unknown>): void => {
    void navigate({ search: (before) => inventorySearch({ ...before, ...changed }), replace: true });
  };
  return (
    <div role="search" className="print:hidden">
      <FilterBar
        search={
          <Typed
            label="Name, id, tag or address"
            value={search.q}
            onType={(text) => filter({ q: text })}
            className="w-full sm:w-56"
          />
        }
        count={Object.keys(search).length}
        tools={<ViewsMenu viewed={RESOURCE_VIEWS} search={search} />}
      >
        {FACETS.map((name) => (
          <InventoryFacet key={name} name={name} search={search} onFilter={filter} />
        ))}
        <Select
          bare
          label="Last seen"
          value={daysOf(search.seen_since)}
          onChange={(days) => filter({ seen_since: days === "" ? undefined : since(Number(days)) })}
          options={SEEN}
        />
        {Object.keys(search).length > 0 && (
          <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </FilterBar>
    </div>
  );
}

const FACETS = [
  "account_id",
  "match",
  "normalized_type",
  "provider_type",
  "region",
  "module_address",
  "enrichment_status",
] as const;
type FacetName = (typeof FACETS)[number];

/** Labels of the facets, and the groupings that count their values. */
const OF_FACETS = {
  account_id: { label: "Account", by: "account" },
  match: { label: "Declaration", by: "match" },
  normalized_type: { label: "Category", by: "category" },
  provider_type: { label: "Type", by: "type" },
  region: { label: "Region", by: "region" },
  module_address: { label: "Module", by: "module" },
  enrichment_status: { label: "Properties", by: "properties" },
} as const;

interface InventoryFacetProps {
  name: FacetName;
  search: InventorySearch;
  onFilter: (changed: Record<string, unknown>) => void;
}

function InventoryFacet({ name, search, onFilter }: InventoryFacetProps) {
  const { nameOf } = useAccounts();
  const { label, by } = OF_FACETS[name];
  const { [name]: given, ...others } = search;
  const isCounted = name === "match" && search.excluded === "exclude";
  return (
    <Facet
      label={label}
      given={given}
      textOf={(value) => (name === "account_id" ? nameOf(value) : valueText(name, value))}
      withCounts={(show) => <Counted query={{ ...others, by }} show={show} />}
      onFilter={(values) => onFilter({ [name]: values, ...(name === "match" && { excluded: undefined }) })}
      {...(name === "match" && {
        choices: [
          {
            text: "Counted: without excluded",
            isChosen: isCounted,
            onChoose: () => onFilter({ match: undefined, excluded: isCounted ? undefined : "exclude" }),
          },
        ],
      })}
    />
  );
}

interface CountedProps {
  query: Query<"GET /orgs/{id}/resource-groups">;
  show: (counts: Counts) => ReactNode;
}

function Counted({ query, show }: CountedProps) {
  return show(useRead("GET /orgs/{id}/resource-groups", { query }));
}

function valueText(name: FacetName, value: string): string {
  const status = name === "match" ? oneOf(MATCH_STATUSES, value) : undefined;
  const properties = name === "enrichment_status" ? oneOf(ENRICHMENT_STATUSES, value) : undefined;
  if (status) return matchText(status);
  if (properties) return PROPERTIES[properties];
  return name === "normalized_type" ? inWords(value) : value;
}

const PROPERTIES = {
  none: "Not enriched",
  enriched: "Enriched",
  failed: "Enrichment failed",
  "n/a": "Complete as listed",
};

function since(days: number): string {
  const day = new Date(Date.now() - days * 86_400_000);
  return `${day.toISOString().slice(0, 19)}Z`;
}

/** Returns the choice that is closest to a time. */
function daysOf(moment: string | undefined): string {
  if (moment === undefined) return "";
  const days = (Date.now() - new Date(moment).getTime()) / 86_400_000;
  return days < 4 ? "1" : days < 18 ? "7" : "30";
}

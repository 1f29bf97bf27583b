import { useNavigate, useSearch } from "@tanstack/react-router";

import { ENRICHMENT_STATUSES, MATCH_STATUSES, NORMALIZED_TYPES } from "../../api/closed-sets.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Typed } from "../../ui/typed.tsx";
import { useAccounts } from "../accounts.ts";
import { inWords } from "../words.ts";
import { matchText } from "./match-badge.tsx";
import { inventorySearch, type InventorySearch } from "./search.ts";

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
  const { options } = useAccounts(search.account_id);
  const filter = (changed: { [K in keyof InventorySearch]?: string | undefined }): void => {
    void navigate({ search: (before) => inventorySearch({ ...before, ...changed }), replace: true });
  };
  const pick = (name: keyof InventorySearch) => (value: string) => filter({ [name]: value || undefined });
  return (
    <div role="search" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap print:hidden">
      <Typed
        label="Name, id, tag or address"
        value={search.q}
        onType={pick("q")}
        className="max-sm:col-span-2 sm:w-56"
      />
      <Select
        bare
        label="Account"
        value={search.account_id ?? ""}
        onChange={pick("account_id")}
        options={[["", "All accounts"], ...options]}
        className="sm:max-w-52"
      />
      <Select
        bare
        label="Declaration"
        value={search.excluded ?? search.match ?? ""}
        onChange={(picked) =>
          filter({
            excluded: picked === "exclude" ? picked : undefined,
            match: picked === "exclude" || picked === "" ? undefined : picked,
          })
        }
        options={[
          ["", "Declared or not"],
          ["exclude", "Counted: without excluded"],
          ...MATCH_STATUSES.map((word) => [word, matchText(word)] as const),
        ]}
      />
      <Select
        bare
        label="Category"
        value={search.normalized_type ?? ""}
        onChange={pick("normalized_type")}
        options={[["", "All categories"], ...NORMALIZED_TYPES.map((word) => [word, inWords(word)] as const)]}
        className="sm:max-w-44"
      />
      <Typed
        label="Cloud type"
        value={search.provider_type}
        onType={pick("provider_type")}
        className="sm:w-40"
      />
      <Select
        bare
        label="Properties"
        value={search.enrichment_status ?? ""}
        onChange={pick("enrichment_status")}
        options={[
          ["", "Any properties"],
          ...ENRICHMENT_STATUSES.map((word) => [word, PROPERTIES[word]] as const),
        ]}
      />
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
    </div>
  );
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

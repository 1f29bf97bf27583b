import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";

import { useRows } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useAccounts } from "../accounts.ts";
import { FirstAccount } from "../first-account.tsx";
import { inWords } from "../words.ts";
import { ChangeFilters } from "./change-filters.tsx";
import { Changes } from "./changes.tsx";
import { DriftFrame } from "./frame.tsx";
import { DECISIONS, driftSearch } from "./search.ts";

const PATH = "/orgs/$orgId/drift";
const FRESH_MS = 15_000;
/** A page: all that were read are read anew each time. */
const MOST_FRESH = 100;

/** What differs now, over all accounts. */
export function DriftPage() {
  const search = useSearch({ from: PATH, select: driftSearch });
  const navigate = useNavigate({ from: PATH });
  const { options, isNone } = useAccounts(search.account_id);
  const changes = useRows("GET /orgs/{id}/drift-changes", {
    query: search,
    everyMs: ({ length }) => length <= MOST_FRESH && FRESH_MS,
  });
  const filter = (changed: Record<string, string>): void =>
    void navigate({ search: (before) => driftSearch({ ...before, ...changed }), replace: true });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <DriftFrame>
      <div role="search" className="flex flex-wrap items-center gap-2">
        <Select
          bare
          label="Account"
          value={search.account_id ?? ""}
          options={[["", "All accounts"], ...options]}
          onChange={(account) => filter({ account_id: account })}
          className="max-w-52"
        />
        <ChangeFilters search={search} onFilter={filter} />
        <Select
          bare
          label="Decision"
          value={search.disposition ?? ""}
          options={[["", "Decided or not"], ...DECISIONS.map((word) => [word, inWords(word)] as const)]}
          onChange={(word) => filter({ disposition: word })}
        />
        {isFiltered && (
          <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </div>
      <Card padded={false}>
        <Changes
          label="Changes"
          rows={changes}
          empty={<NoChanges of={isFiltered ? "filters" : isNone ? "nothing" : "accounts"} />}
        />
      </Card>
    </DriftFrame>
  );
}

const NO_CHANGES = {
  filters: ["Nothing matches the filters", "Change or clear a filter to see more."],
  accounts: ["Nothing differs", "As far as accounts were scanned, what runs is what is declared."],
  nothing: ["Nothing was compared yet", ", and what differs from its code is told here."],
} as const;

function NoChanges({ of }: { of: keyof typeof NO_CHANGES }): ReactNode {
  const [title, text] = NO_CHANGES[of];
  return (
    <Empty
      icon={of === "accounts" ? <CircleCheck className="size-5" /> : <CircleDashed className="size-5" />}
      title={title}
    >
      {of === "nothing" && <FirstAccount />}
      {text}
    </Empty>
  );
}

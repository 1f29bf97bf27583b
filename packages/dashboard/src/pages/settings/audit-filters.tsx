import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";

import { useRows } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { ACTIONS, actionText } from "./audit-words.ts";
import { given, oneOf } from "../search.ts";
import { auditSearch } from "./search.ts";

const PATH = "/orgs/$orgId/settings/audit-log";
const BY_TEXT = new Intl.Collator("en");
const OFFERED = ACTIONS.map((action) => [action, actionText(action)] as const).toSorted(([, a], [, b]) =>
  BY_TEXT.compare(a, b),
);

/** Parses the filters, and leaves out an action that doesn't exist. */
export function auditFilter(search: Record<string, unknown>) {
  const { action, ...others } = auditSearch(search);
  return given({ ...others, action: oneOf(ACTIONS, action) });
}

/** Shows the audit log's filters, stored in the URL. `chosenName` is the chosen actor's name in the entries. */
export function AuditFilters({ chosenName }: { chosenName: string | undefined }) {
  const search = useSearch({ from: PATH, select: auditFilter });
  const navigate = useNavigate({ from: PATH });
  const actors = useActors(search.actor_id, chosenName);
  const pick = (name: keyof typeof search) => (value: string) =>
    void navigate({ search: (before) => auditSearch({ ...before, [name]: value }), replace: true });
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <Select
        bare
        label="Action"
        value={search.action ?? ""}
        options={[["", "Any action"], ...OFFERED]}
        onChange={pick("action")}
        className="sm:max-w-72"
      />
      <Select
        bare
        label="Actor"
        value={search.actor_id ?? ""}
        options={[["", "Anyone"], ...actors]}
        onChange={pick("actor_id")}
        className="sm:max-w-72"
      />
      {Object.keys(search).length > 0 && (
        <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
          Clear
        </Button>
      )}
    </div>
  );
}

const ALL = { query: { limit: 500 } };

/** Returns people and keys as options, including the chosen one, which may have left and isn't in any listing. */
function useActors(chosen: string | undefined, chosenName: string | undefined): [id: string, name: string][] {
  const { rows: members, readMore: readMoreMembers } = useRows("GET /orgs/{id}/members", ALL);
  const { rows: keys, readMore: readMoreKeys } = useRows("GET /orgs/{id}/api-keys", ALL);
  useEffect(() => {
    readMoreMembers();
    readMoreKeys();
  });
  const actors = [
    ...members.flatMap(({ person_id: id, email }): [string, string][] =>
      id === undefined ? [] : [[id, email ?? "The founder"]],
    ),
    ...keys.map(({ id, name }): [string, string] => [id, `Key ${name}`]),
  ];
  const isOffered = actors.some(([id]) => id === chosen);
  return chosen === undefined || isOffered ? actors : [...actors, [chosen, chosenName ?? chosen]];
}

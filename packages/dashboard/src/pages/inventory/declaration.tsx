import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { LiveResourceDetail } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Failure } from "../../ui/states.tsx";
import { nameOf } from "./name.ts";

const WHY: Readonly<Record<LiveResourceDetail["match"]["status"], string>> = {
  matched: "Declared as code: one of its keys matches a declared resource.",
  undeclared: "Not declared in any state: none of its keys matches a declared resource.",
  unchecked: "Not checked: Leeway can’t compare this type yet, so it may be declared.",
  excluded: "Excluded by a rule, because people don’t usually declare it.",
};
const MADE = "Not in any state, but counted as declared because the resource that created it is.";

type Tried = LiveResourceDetail["match"]["tried"][number];

const OUTCOMES: Readonly<Record<Tried["outcome"], { tone: Tone; text: string }>> = {
  matched: { tone: "good", text: "Matched" },
  no_declaration: { tone: "neutral", text: "Not declared" },
  ambiguous: { tone: "medium", text: "Ambiguous" },
  other_scope: { tone: "neutral", text: "Elsewhere" },
  surer_key_used: { tone: "neutral", text: "Not needed" },
  taken: { tone: "medium", text: "Taken" },
};

/** Explains why a resource is or isn't matched to a declaration. */
export function Declaration({
  resource: { match, iac_resource_id: declared, excluded_by: rule },
}: {
  resource: LiveResourceDetail;
}) {
  return (
    <Card title={match.status === "matched" ? "Why it matched" : "Why it didn’t match"}>
      <div className="flex flex-col gap-4">
        <p>{match.level === "owner" ? MADE : WHY[match.status]}</p>
        {rule !== undefined && <ExcludedBy rule={rule} />}
        {match.owner_id !== undefined && <MadeBy id={match.owner_id} />}
        {declared !== undefined && <Declared id={declared} />}
        {match.claimed_by.length > 1 && (
          <p className="text-medium">{match.claimed_by.length} declarations match it.</p>
        )}
        {match.tried.length > 0 && <TriedKeys tried={match.tried} />}
      </div>
    </Card>
  );
}

function ExcludedBy({ rule }: { rule: string }) {
  const orgId = useOrgId();
  const rules = useRead("GET /orgs/{id}/exclusion-rules", {});
  if (rules.error) return <Failure error={rules.error} />;
  return (
    <Facts
      facts={[
        ["Reason", rules.data?.data.find(({ id }) => id === rule)?.title ?? "…"],
        [
          "Rule",
          <Link
            key="rule"
            to="/orgs/$orgId/rules"
            params={{ orgId }}
            search={{ rule }}
            className="text-accent font-mono text-xs break-all underline-offset-4 hover:underline"
          >
            {rule}
          </Link>,
        ],
      ]}
    />
  );
}

function MadeBy({ id }: { id: string }) {
  const orgId = useOrgId();
  const owner = useRead("GET /orgs/{id}/resources/{resource_id}", { params: { resource_id: id } });
  if (owner.error) return <Failure error={owner.error} />;
  return (
    <Facts
      facts={[
        [
          "Created by",
          <Link
            key="owner"
            to="/orgs/$orgId/inventory/$resourceId"
            params={{ orgId, resourceId: id }}
            className="text-accent break-all underline-offset-4 hover:underline"
          >
            {owner.data ? nameOf(owner.data) : "…"}
          </Link>,
        ],
      ]}
    />
  );
}

function Declared({ id }: { id: string }) {
  const orgId = useOrgId();
  const declared = useRead("GET /orgs/{id}/iac-resources/{resource_id}", { params: { resource_id: id } });
  const sourceId = declared.data?.iac_source_id ?? "";
  const source = useRead("GET /orgs/{id}/iac-sources/{source_id}", {
    params: { source_id: sourceId },
    when: sourceId !== "",
  });
  if (declared.error) return <Failure error={declared.error} />;
  return (
    <Facts
      facts={[
        [
          "Address",
          <code key="address" className="font-mono text-xs break-all">
            {declared.data?.address ?? "…"}
          </code>,
        ],
        [
          "Source",
          <Link
            key="source"
            to="/orgs/$orgId/sources/$sourceId"
            params={{ orgId, sourceId }}
            className="text-accent wrap-anywhere underline-offset-4 hover:underline"
          >
            {source.data?.name ?? "…"}
          </Link>,
        ],
      ]}
    />
  );
}

function TriedKeys({ tried }: { tried: readonly Tried[] }) {
  return (
    <div>
      <h3 className="text-muted mb-2 text-xs font-medium">Keys tried, most reliable first</h3>
      <ol className="border-line divide-line divide-y rounded-lg border">
        {tried.map(({ key, outcome, explanation }) => (
          <li key={key + outcome} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 p-3">
            <div className="min-w-0 flex-1">
              <code className="font-mono text-xs break-all">{key}</code>
              <p className="text-muted text-xs">{explanation}</p>
            </div>
            <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].text}</Badge>
          </li>
        ))}
      </ol>
    </div>
  );
}

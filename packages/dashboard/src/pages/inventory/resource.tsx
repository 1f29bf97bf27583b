import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { LiveResourceDetail } from "../../api/openapi.gen.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { JsonTree } from "../../ui/json.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Read } from "../../ui/states.tsx";
import { useAccounts } from "../accounts.ts";
import { AdoptCard } from "../adopt/adopt-card.tsx";
import { lastSearch } from "../last-search.ts";
import { inWords } from "../words.ts";
import { ComparisonCard } from "./comparison.tsx";
import { Declaration } from "./declaration.tsx";
import { Enrichment } from "./enrichment.tsx";
import { History } from "./history.tsx";
import { MatchBadge } from "./match-badge.tsx";
import { nameOf } from "./name.ts";
import { inventorySearch } from "./search.ts";

/** Shows one live resource, and why it is or isn't declared. */
export function ResourcePage() {
  const orgId = useOrgId();
  const { resourceId } = useParams({ from: "/orgs/$orgId/inventory/$resourceId" });
  const resource = useRead("GET /orgs/{id}/resources/{resource_id}", { params: { resource_id: resourceId } });
  const row = resource.data;
  return (
    <Page
      title={row ? nameOf(row) : "Resource"}
      back={
        <Link
          to="/orgs/$orgId/inventory"
          params={{ orgId }}
          search={inventorySearch(lastSearch(`/orgs/${orgId}/inventory`))}
          className="text-muted hover:text-ink flex items-center gap-1"
        >
          <ChevronLeft aria-hidden="true" className="size-4" /> Inventory
        </Link>
      }
      {...(row && { actions: <CopyButton text={row.provider_resource_id} label="Copy id" /> })}
    >
      <Read read={resource}>
        {(row) => (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex min-w-0 flex-col gap-4">
              <Declaration resource={row} />
              {row.match.status === "undeclared" && <AdoptCard resource={row} />}
              {row.comparison && <ComparisonCard comparison={row.comparison} />}
              <Properties resource={row} />
            </div>
            <div className="flex min-w-0 flex-col gap-4">
              <About resource={row} />
              <History resource={row} />
            </div>
          </div>
        )}
      </Read>
    </Page>
  );
}

function About({ resource }: { resource: LiveResourceDetail }) {
  const accounts = useAccounts();
  const tags = Object.entries(resource.tags ?? {});
  return (
    <Card title="About">
      <Facts
        facts={[
          ["Declaration", <MatchBadge key="match" match={resource.match} />],
          ["Category", inWords(resource.normalized_type)],
          ["Cloud type", resource.provider_type],
          [
            "Identifier",
            <code key="id" className="font-mono text-xs break-all">
              {resource.provider_resource_id}
            </code>,
          ],
          ["Account", `${accounts.nameOf(resource.cloud_account_id)} (${providerName(resource.provider)})`],
          ["Region", resource.region ?? "Global"],
          [
            "Tags",
            tags.length === 0 ? <span className="text-muted">None</span> : <Tags key="tags" tags={tags} />,
          ],
        ]}
      />
    </Card>
  );
}

function Tags({ tags }: { tags: readonly (readonly [name: string, value: string])[] }) {
  return (
    <ul className="flex flex-wrap gap-1.5">
      {tags.map(([name, value]) => (
        <li key={name} className="bg-sunken rounded-md px-1.5 py-0.5 font-mono text-xs break-all">
          {name}
          {value !== "" && <span className="text-muted">={value}</span>}
        </li>
      ))}
    </ul>
  );
}

function Properties({ resource }: { resource: LiveResourceDetail }) {
  const { properties, redactions = [] } = resource;
  return (
    <Card title="Properties">
      <div className="flex flex-col gap-4">
        <Enrichment resource={resource} />
        {properties === undefined ? (
          <p className="text-muted">The listing didn’t include its properties.</p>
        ) : (
          <div className="font-mono text-xs leading-5">
            <JsonTree value={properties} redactions={new Set(redactions)} />
          </div>
        )}
      </div>
    </Card>
  );
}

import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { FileCode } from "lucide-react";
import { useState } from "react";

import { DECLARED_STATUSES } from "../../api/closed-sets.gen.ts";
import { useOrgId, useRead, useRows } from "../../api/hooks.ts";
import type { IacResource } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Empty, Read } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { useAccounts } from "../accounts.ts";
import type { Source } from "./place.ts";
import { sourceSearch } from "./search.ts";
import { SetRepository } from "./set-repository.tsx";

const PATH = "/orgs/$orgId/sources/$sourceId";
const SHOWN: Readonly<
  Record<(typeof DECLARED_STATUSES)[number], { tone: Tone; text: string; title: string }>
> = {
  matched: { tone: "good", text: "Found", title: "Found in an account" },
  missing: { tone: "critical", text: "Missing", title: "Not in a listing that would include it" },
  unobserved: { tone: "neutral", text: "Unknown", title: "Not reliably covered by any listing" },
};

const COLUMNS: readonly Column<IacResource>[] = [
  { title: "Address", width: "minmax(14rem, 3fr)", below: true, cell: (row) => <Address row={row} /> },
  {
    title: "Type",
    width: "minmax(10rem, 2fr)",
    cell: ({ type }) => <span className="break-all">{type}</span>,
  },
  { title: "Account", width: "minmax(8rem, 1.5fr)", cell: (row) => <Account row={row} /> },
  { title: "Status", width: "8rem", cell: ({ match }) => <Found match={match} /> },
];

/** Shows what one source declares, and which of it was found. */
export function SourcePage() {
  const orgId = useOrgId();
  const { sourceId } = useParams({ from: PATH });
  const search = useSearch({ from: PATH, select: sourceSearch });
  const navigate = useNavigate({ from: PATH });
  const source = useRead("GET /orgs/{id}/iac-sources/{source_id}", { params: { source_id: sourceId } });
  const declared = useRows("GET /orgs/{id}/iac-resources", { query: { source_id: sourceId, ...search } });
  return (
    <Page
      title={source.data?.name ?? "Source"}
      {...(source.data && { lead: countsOf(source.data) })}
      back={
        <BackLink to="/orgs/$orgId/sources" params={{ orgId }}>
          Sources
        </BackLink>
      }
      {...(source.data && { actions: <Repository source={source.data} /> })}
    >
      <Read read={source}>
        {() => (
          <>
            <div role="search" className="w-48">
              <Select
                bare
                label="Status"
                value={search.match ?? ""}
                options={[
                  ["", "Any status"],
                  ...DECLARED_STATUSES.map((word) => [word, SHOWN[word].text] as const),
                ]}
                onChange={(match) => void navigate({ search: sourceSearch({ match }), replace: true })}
              />
            </div>
            <Card padded={false}>
              <Table
                label="Declared resources"
                columns={COLUMNS}
                rows={declared}
                keyOf={({ id }) => id}
                empty={
                  <Empty
                    icon={<FileCode className="size-5" />}
                    title={search.match ? "No resources with this status" : "No declared resources"}
                  />
                }
              />
            </Card>
          </>
        )}
      </Read>
    </Page>
  );
}

/** Shows the repository of the source's code, and lets admins set it. */
function Repository({ source }: { source: Source }) {
  const may = useMay("admin");
  const [isOpen, setOpen] = useState(false);
  const { repository } = source;
  return (
    <>
      {repository && (
        <span className="text-muted self-center wrap-anywhere">
          {[repository.path, repository.dir].filter(Boolean).join("/")}
        </span>
      )}
      {may && (
        <Button onClick={() => setOpen(true)}>{repository ? "Change repository" : "Set repository"}</Button>
      )}
      {isOpen && <SetRepository source={source} onClose={() => setOpen(false)} />}
    </>
  );
}

function countsOf(source: Source): string {
  const {
    resource_count: all,
    matched_count: found,
    missing_count: missing,
    unobserved_count: rest,
  } = source;
  return `Declares ${countOf(all, "resource")}: ${countText(found)} found, ${countText(missing)} missing, ${countText(rest)} unknown (not reliably covered by any listing).`;
}

function Address({ row: { address, match } }: { row: IacResource }) {
  const orgId = useOrgId();
  const text = <code className="font-mono text-xs break-all">{address}</code>;
  if (match.live_resource_id === undefined) return text;
  return (
    <Link
      to="/orgs/$orgId/inventory/$resourceId"
      params={{ orgId, resourceId: match.live_resource_id }}
      className="text-accent underline-offset-4 hover:underline"
    >
      {text}
    </Link>
  );
}

function Account({ row: { cloud_account_id: id, region, match } }: { row: IacResource }) {
  const { nameOf } = useAccounts();
  return (
    <div className="min-w-0">
      {match.account ? (
        <div className="text-medium break-words">Account {match.account.external_id} isn’t connected</div>
      ) : (
        <div className="truncate">{id === undefined ? "Unknown" : nameOf(id)}</div>
      )}
      <div className="text-muted truncate text-xs">{region}</div>
    </div>
  );
}

function Found({ match: { status, conflict, ambiguous } }: Pick<IacResource, "match">) {
  const { tone, text, title } = SHOWN[status];
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={tone} title={title}>
        {text}
      </Badge>
      {ambiguous === true && (
        <Badge tone="medium" title="Several live resources share its name or another key">
          One of several
        </Badge>
      )}
      {conflict === true && <Badge tone="medium">Declared twice</Badge>}
    </span>
  );
}

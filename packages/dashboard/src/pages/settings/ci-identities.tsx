import { Plus, ShieldCheck } from "lucide-react";
import { useState } from "react";

import type { Row } from "../../api/client.ts";
import { useAct } from "../../api/act.ts";
import { useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { inWords } from "../words.ts";
import { GITHUB_ISSUER, NewCiIdentity } from "./new-ci-identity.tsx";

type CiIdentity = Row<"GET /orgs/{id}/ci-identities">;
type Open = "new" | CiIdentity;

const COLUMNS: readonly Column<CiIdentity>[] = [
  {
    title: "Jobs of",
    width: "minmax(11rem, 2fr)",
    cell: (identity) => (
      <div className="min-w-0">
        <div className="truncate font-medium">{repositoryOf(identity)}</div>
        <div className="text-muted truncate text-xs">{limitsOf(identity)}</div>
      </div>
    ),
  },
  {
    title: "Code host",
    width: "minmax(8rem, 1fr)",
    wide: true,
    cell: ({ issuer }) => (
      <span className="truncate">{issuer === GITHUB_ISSUER ? "github.com" : new URL(issuer).host}</span>
    ),
  },
  { title: "Role", width: "6rem", cell: ({ role }) => <Badge>{inWords(role)}</Badge> },
  { title: "Last used", width: "8rem", cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : "Never") },
];

/** Lists the CI jobs that can sign in without a key. */
export function CiIdentities() {
  const identities = useRows("GET /orgs/{id}/ci-identities", {});
  const may = useMay("admin", "person");
  const [open, setOpen] = useState<Open>();
  const action: Column<CiIdentity> = {
    title: "Actions",
    width: "8rem",
    end: true,
    cell: (identity) => (
      <Button onClick={() => setOpen(identity)} aria-label={`Delete ${repositoryOf(identity)}`}>
        Delete
      </Button>
    ),
  };
  const close = (): void => setOpen(undefined);
  return (
    <Card
      title="CI jobs without a key"
      padded={false}
      actions={
        may && (
          <Button kind="primary" onClick={() => setOpen("new")}>
            <Plus aria-hidden="true" className="size-4" /> New CI identity
          </Button>
        )
      }
    >
      <Table
        label="CI identities"
        columns={may ? [...COLUMNS, action] : COLUMNS}
        rows={identities}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<ShieldCheck className="size-5" />} title="No CI identities">
            GitHub and GitLab jobs can sign in with their own id token, so you don’t have to store a key.
          </Empty>
        }
      />
      {open === "new" && <NewCiIdentity onClose={close} />}
      {open !== undefined && open !== "new" && <Delete identity={open} onClose={close} />}
    </Card>
  );
}

function repositoryOf({ claims }: CiIdentity): string {
  return claims.project_path ?? claims.repository ?? "";
}

function limitsOf({ claims: { ref, environment } }: CiIdentity): string {
  const limits = [ref && `ref ${ref}`, environment && `environment ${environment}`].filter(Boolean);
  return limits.length > 0 ? `Only ${limits.join(", ")}` : "Every ref and environment";
}

function Delete({ identity, onClose }: { identity: CiIdentity; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/ci-identities/{identity_id}", ["GET /orgs/{id}/ci-identities"]);
  const repository = repositoryOf(identity);
  return (
    <Confirm
      title={`Delete the CI identity of ${repository}?`}
      confirmLabel="Delete the CI identity"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { identity_id: identity.id } });
        say(`CI jobs of ${repository} can no longer sign in`);
      }}
    >
      Its jobs, and the tokens that they have now, are refused within a second.
    </Confirm>
  );
}

import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRows } from "../../api/hooks.ts";
import type { ApiKey } from "../../api/openapi.gen.ts";
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
import { CiIdentities } from "./ci-identities.tsx";
import { NewKey } from "./new-key.tsx";
import { PeopleOnly } from "./people-only.tsx";
import { RotateKey } from "./rotate-key.tsx";

type Open = { what: "make" } | { what: "rotate" | "revoke"; key: ApiKey };

/** Lists the API keys. */
export function KeysPage() {
  const keys = useRows("GET /orgs/{id}/api-keys", {});
  const may = useMay("admin", "person");
  const [open, setOpen] = useState<Open>();
  const columns: readonly Column<ApiKey>[] = [
    ...COLUMNS,
    {
      title: "Actions",
      width: "10rem",
      end: true,
      cell: (key) =>
        may && (
          <span className="flex justify-end gap-2">
            <Button onClick={() => setOpen({ what: "rotate", key })} aria-label={`Rotate ${key.name}`}>
              Rotate
            </Button>
            <Button onClick={() => setOpen({ what: "revoke", key })} aria-label={`Revoke ${key.name}`}>
              Revoke
            </Button>
          </span>
        ),
    },
  ];
  const close = (): void => setOpen(undefined);
  return (
    <>
      <PeopleOnly what="keys and CI identities" />
      <Card
        title="API keys"
        padded={false}
        actions={
          may && (
            <Button kind="primary" onClick={() => setOpen({ what: "make" })}>
              <Plus aria-hidden="true" className="size-4" /> New key
            </Button>
          )
        }
      >
        <Table
          label="API keys"
          columns={may ? columns : COLUMNS}
          rows={keys}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<KeyRound className="size-5" />} title="No API keys">
              Pipelines and scripts need one.
            </Empty>
          }
        />
      </Card>
      <CiIdentities />
      {open?.what === "make" && <NewKey onClose={close} />}
      {open?.what === "rotate" && <RotateKey apiKey={open.key} onClose={close} />}
      {open?.what === "revoke" && <Revoke apiKey={open.key} onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: "Name",
    width: "minmax(11rem, 2fr)",
    cell: ({ name, prefix, repositories }) => (
      <div className="min-w-0">
        <div className="truncate font-medium">{name}</div>
        <div className="text-muted truncate font-mono text-xs">{prefix}…</div>
        {repositories && <div className="text-muted truncate text-xs">Only {repositories.join(", ")}</div>}
      </div>
    ),
  },
  { title: "Role", width: "6rem", cell: ({ role }) => <Badge>{inWords(role)}</Badge> },
  { title: "Created", width: "8rem", wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: "Last used", width: "8rem", cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : "Never") },
  { title: "Expires", width: "8rem", cell: ({ expires_at: at }) => (at ? <Time at={at} /> : "Never") },
];

function Revoke({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useAct("DELETE /orgs/{id}/api-keys/{key_id}", ["GET /orgs/{id}/api-keys"]);
  return (
    <Confirm
      title={`Revoke ${name}?`}
      confirmLabel="Revoke key"
      onClose={onClose}
      act={async () => {
        await revoke.mutateAsync({ params: { key_id: id } });
        say(`Revoked ${name}`);
      }}
    >
      Requests with this key are rejected within a second. This can’t be undone.
    </Confirm>
  );
}

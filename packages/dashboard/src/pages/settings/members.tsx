import { Plus } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRows } from "../../api/hooks.ts";
import type { Member } from "../../api/openapi.gen.ts";
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
import { ChangeRole, InviteMember } from "./edit-member.tsx";
import { Leave } from "./leave.tsx";
import { useIsOwn } from "./own.ts";
import { PeopleOnly } from "./people-only.tsx";

type Open = { what: "invite" } | { what: "change" | "remove"; member: Member };

/** Lists the organization's members. */
export function MembersPage() {
  const members = useRows("GET /orgs/{id}/members", {});
  const may = useMay("admin", "person");
  const [open, setOpen] = useState<Open>();
  const columns: readonly Column<Member>[] = [
    ...COLUMNS,
    {
      title: "Actions",
      width: "12.5rem",
      end: true,
      cell: (member) => <Actions member={member} onOpen={setOpen} />,
    },
  ];
  const close = (): void => setOpen(undefined);
  return (
    <>
      <PeopleOnly what="members" />
      <Card
        title="Members"
        padded={false}
        actions={
          <>
            <Leave />
            {may && (
              <Button kind="primary" onClick={() => setOpen({ what: "invite" })}>
                <Plus aria-hidden="true" className="size-4" /> Invite
              </Button>
            )}
          </>
        }
      >
        <Table
          label="Members"
          columns={may ? columns : COLUMNS}
          rows={members}
          keyOf={({ id }) => id}
          empty={<Empty title="No members">The operator of this server names the first owner.</Empty>}
        />
      </Card>
      {open?.what === "invite" && <InviteMember onClose={close} />}
      {open?.what === "change" && <ChangeRole member={open.member} onClose={close} />}
      {open?.what === "remove" && <Remove member={open.member} onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<Member>[] = [
  { title: "Person", width: "minmax(14rem, 2fr)", cell: (member) => <Person member={member} /> },
  {
    title: "Role",
    width: "7rem",
    cell: ({ role }) => <Badge tone={role === "owner" ? "accent" : "neutral"}>{inWords(role)}</Badge>,
  },
  {
    title: "Since",
    width: "10rem",
    cell: ({ status, joined_at: at }) =>
      status === "invited" ? <Badge tone="medium">Invited</Badge> : at !== undefined && <Time at={at} />,
  },
];

interface ActionsProps {
  member: Member;
  onOpen: (open: Open) => void;
}

function Actions({ member, onOpen }: ActionsProps) {
  const isOwn = useIsOwn(member);
  const isOwner = useMay("owner");
  if (!isOwner && member.role === "owner") return undefined;
  return (
    <span className="flex justify-end gap-2">
      <Button
        onClick={() => onOpen({ what: "change", member })}
        aria-label={`Change role of ${nameOf(member)}`}
      >
        Change role
      </Button>
      {!isOwn && ( // people leave with the button at the top instead
        <Button onClick={() => onOpen({ what: "remove", member })} aria-label={`Remove ${nameOf(member)}`}>
          Remove
        </Button>
      )}
    </span>
  );
}

function Person({ member }: { member: Member }) {
  const isOwn = useIsOwn(member);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span title={nameOf(member)} className="truncate font-medium">
        {nameOf(member)}
      </span>
      {isOwn && <Badge tone="accent">You</Badge>}
    </span>
  );
}

function nameOf({ email }: Member): string {
  return email ?? "The founder";
}

function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/members/{member_id}", ["GET /orgs/{id}/members", "GET /orgs"]);
  return (
    <Confirm
      title={`Remove ${nameOf(member)}?`}
      confirmLabel="Remove"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { member_id: member.id } });
        say(`Removed ${nameOf(member)}`);
      }}
    >
      They lose access within a second and need a new invitation to come back. API keys that they created keep
      working, so revoke them if necessary.
    </Confirm>
  );
}

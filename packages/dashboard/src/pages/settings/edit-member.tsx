import { useState } from "react";

import { useAct } from "../../api/act.ts";
import type { Member } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Confirm, FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { useIsOwn } from "./own.ts";

const ROLES = [
  ["viewer", "Viewer: read only"],
  ["member", "Member: read, acknowledge drift, request fixes"],
  ["admin", "Admin: change everything except owners"],
  ["owner", "Owner: full access"],
] as const;
type Role = (typeof ROLES)[number][0];
/** Includes the organizations, because people may change their own role. */
const REFRESHED = ["GET /orgs/{id}/members", "GET /orgs"] as const;

/** Invites a person by e-mail address. */
export function InviteMember({ onClose }: { onClose: () => void }) {
  const invite = useAct("POST /orgs/{id}/members", ["GET /orgs/{id}/members"]);
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const onSuccess = (): void => {
    say(`Invited ${email}`);
    onClose();
  };
  return (
    <FormDialog
      title="Invite a person"
      confirmLabel="Invite"
      busy={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate({ body: { email, role } }, { onSuccess })}
      onClose={onClose}
    >
      <TextField
        label="E-mail address"
        type="email"
        required
        hint="They join when they sign in with this address."
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  );
}

interface ChangeRoleProps {
  member: Member;
  onClose: () => void;
}

/** Changes a member's role. Asks for confirmation before people lower their own. */
export function ChangeRole({ member, onClose }: ChangeRoleProps) {
  const change = useAct("PATCH /orgs/{id}/members/{member_id}", REFRESHED);
  const isOwn = useIsOwn(member);
  const [role, setRole] = useState<Role>(member.role);
  const [isAsked, setAsked] = useState(false);
  const onSuccess = (): void => {
    say(`Changed the role of ${member.email ?? "the founder"} to ${role}`);
    onClose();
  };
  const submit = (): void => {
    if (isOwn && rankOf(role) < rankOf(member.role)) setAsked(true);
    else change.mutate({ params: { member_id: member.id }, body: { role } }, { onSuccess });
  };
  if (isAsked) return <GiveUp member={member} role={role} onClose={onClose} />;
  return (
    <FormDialog
      title={isOwn ? "Your own role" : `Role of ${member.email ?? "the founder"}`}
      confirmLabel="Change role"
      busy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  );
}

function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const isOwner = useMay("owner");
  const options = ROLES.filter(([role]) => isOwner || role !== "owner");
  return <Select label="Role" value={role} options={options} onChange={onChange} />;
}

function GiveUp({ member, role, onClose }: ChangeRoleProps & { role: Role }) {
  const change = useAct("PATCH /orgs/{id}/members/{member_id}", REFRESHED);
  const others = member.role === "owner" ? "another owner" : "another admin or an owner";
  return (
    <Confirm
      title={`Give up your ${member.role} role?`}
      confirmLabel={`Become ${role}`}
      onClose={onClose}
      act={async () => {
        await change.mutateAsync({ params: { member_id: member.id }, body: { role } });
        say(`Your role is now ${role}`);
      }}
    >
      You can’t undo this yourself: only {others} can give the role back to you. It takes effect immediately.
    </Confirm>
  );
}

function rankOf(role: Role): number {
  return ROLES.findIndex(([known]) => known === role);
}

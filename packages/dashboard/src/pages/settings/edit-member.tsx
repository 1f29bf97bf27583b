import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import type { Member } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";

const ROLES = [
  ["viewer", "Viewer: reads"],
  ["member", "Member: reads, acknowledges drift, asks for fixes"],
  ["admin", "Admin: may change everything but owners"],
  ["owner", "Owner: may do everything"],
] as const;
type Role = (typeof ROLES)[number][0];
/** It may be one's own role. */
const REFRESHED = ["GET /orgs/{id}/members", "GET /orgs"] as const;

/** Invites a person by their address, or changes what a member may do. */
export function EditMember({ member, onClose }: { member?: Member; onClose: () => void }) {
  const invite = useAct("POST /orgs/{id}/members", ["GET /orgs/{id}/members"]);
  const change = useAct("PATCH /orgs/{id}/members/{member_id}", REFRESHED);
  const isOwner = useMay("owner");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>(member?.role ?? "member");
  const submit = (): void => {
    const onSuccess = (): void => {
      say(member ? "The role is changed" : `${email} is invited`);
      onClose();
    };
    if (member) change.mutate({ params: { member_id: member.id }, body: { role } }, { onSuccess });
    else invite.mutate({ body: { email, role } }, { onSuccess });
  };
  return (
    <FormDialog
      title={member ? `Role of ${member.email ?? "the founder"}` : "Invite a person"}
      deed={member ? "Change the role" : "Invite"}
      busy={invite.isPending || change.isPending}
      error={invite.error ?? change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {!member && (
        <TextField
          label="E-mail address"
          type="email"
          required
          hint="They belong here once they sign in with this address."
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
      <Select
        label="Role"
        value={role}
        options={ROLES.filter(([role]) => isOwner || role !== "owner")}
        onChange={setRole}
      />
    </FormDialog>
  );
}

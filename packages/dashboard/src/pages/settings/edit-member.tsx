import { useState, type FormEvent } from "react";

import { useAct } from "../../api/hooks.ts";
import type { Member } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const onSuccess = (): void => {
      say(member ? "The role is changed" : `${email} is invited`);
      onClose();
    };
    if (member) change.mutate({ params: { member_id: member.id }, body: { role } }, { onSuccess });
    else invite.mutate({ body: { email, role } }, { onSuccess });
  };
  const error = invite.error ?? change.error;
  return (
    <Dialog
      title={member ? `Role of ${member.email ?? "the founder"}` : "Invite a person"}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="member" busy={invite.isPending || change.isPending}>
            {member ? "Change the role" : "Invite"}
          </Button>
        </>
      }
    >
      <form id="member" onSubmit={submit} className="flex flex-col gap-4">
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
      </form>
      {error && <Failure error={error} />}
    </Dialog>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { useAct } from "../api/hooks.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Failure } from "../ui/states.tsx";

/** Makes an organization, whose owner one is then, and leads to it. */
export function NewOrganization() {
  const navigate = useNavigate();
  const make = useAct("POST /orgs", ["GET /orgs"]);
  const [name, setName] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(
      { body: { name } },
      { onSuccess: ({ id }) => void navigate({ to: "/orgs/$orgId/posture", params: { orgId: id } }) },
    );
  };
  return (
    <form onSubmit={submit} className="flex w-72 flex-col gap-3 text-left">
      <TextField
        label="Or make one of your own"
        placeholder="Its name"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button kind="primary" type="submit" busy={make.isPending}>
        Make the organization
      </Button>
      {make.error && <Failure error={make.error} />}
    </form>
  );
}

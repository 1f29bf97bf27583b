import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { needsGeneralMessage, refusalAt, useRefusedFocus } from "../refusals.ts";
import type { Source } from "./place.ts";

const REFRESHED = [
  "GET /orgs/{id}/iac-sources",
  "GET /orgs/{id}/iac-sources/{source_id}",
  "GET /orgs/{id}/drift-changes/{fingerprint}",
] as const;

const FIELDS = [
  { name: "host", label: "Code host", placeholder: "gitlab", hint: "gitlab, github, or a host name" },
  { name: "path", label: "Repository", placeholder: "acme/network", hint: "With its group or owner" },
  { name: "dir", label: "Folder (optional)", placeholder: "envs/prod", hint: "Folder of the root module" },
  { name: "ref", label: "Branch (optional)", placeholder: "main", hint: "If empty, the default branch" },
] as const;
type Name = (typeof FIELDS)[number]["name"];

const EMPTY = { host: "", path: "", dir: "", ref: "" };

interface SetRepositoryProps {
  source: Pick<Source, "id" | "name" | "repository">;
  onClose: () => void;
}

/** Asks where a source's code is, so that patches and merge requests can be made for it. */
export function SetRepository({ source: { id, name, repository }, onClose }: SetRepositoryProps) {
  const change = useAct("PATCH /orgs/{id}/iac-sources/{source_id}", REFRESHED);
  const [typed, setTyped] = useState<Readonly<Record<Name, string>>>({ ...EMPTY, ...repository });
  const form = useRefusedFocus(change.error);
  const submit = (): void => {
    const given = Object.entries(typed).map(([key, value]) => [key, value.trim()] as const);
    const { path = "", ...rest } = Object.fromEntries(given.filter(([, value]) => value !== ""));
    change.mutate(
      { params: { source_id: id }, body: { repository: { path, ...rest } } },
      {
        onSuccess: () => {
          say(`Set the repository of ${name}`);
          onClose();
        },
      },
    );
  };
  const shown = FIELDS.map((field) => `repository.${field.name}`);
  return (
    <FormDialog
      title={`Repository of ${name}`}
      confirmLabel="Save"
      busy={change.isPending}
      error={change.error && needsGeneralMessage(change.error, shown) ? change.error : undefined}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">Only plans and comments of this repository may then change the source.</p>
      {FIELDS.map((field) => (
        <TextField
          key={field.name}
          label={field.label}
          placeholder={field.placeholder}
          hint={field.hint}
          required={field.name === "path" || field.name === "host"}
          value={typed[field.name]}
          onChange={({ target }) => setTyped({ ...typed, [field.name]: target.value })}
          problem={refusalAt(change.error, `repository.${field.name}`)}
        />
      ))}
    </FormDialog>
  );
}

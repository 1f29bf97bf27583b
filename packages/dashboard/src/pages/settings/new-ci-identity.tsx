import { useState } from "react";

import type { Body } from "../../api/client.ts";
import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";

const HOSTS = [
  ["github", "GitHub Actions"],
  ["gitlab", "GitLab CI/CD"],
] as const;
type Host = (typeof HOSTS)[number][0];
const ROLES = [
  ["member", "Member: reads, submits plans"],
  ["viewer", "Viewer: reads"],
] as const;
export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** Adds the jobs of a repository. */
export function NewCiIdentity({ onClose }: { onClose: () => void }) {
  const make = useAct("POST /orgs/{id}/ci-identities", ["GET /orgs/{id}/ci-identities"]);
  const [host, setHost] = useState<Host>("github");
  const [address, setAddress] = useState("https://gitlab.com");
  const [repository, setRepository] = useState("");
  const [ref, setRef] = useState("");
  const [environment, setEnvironment] = useState("");
  const [role, setRole] = useState<"member" | "viewer">("member");
  const claims: Body<"POST /orgs/{id}/ci-identities">["claims"] = {
    ...(host === "github" ? { repository } : { project_path: repository }),
    ...(ref !== "" && { ref }),
    ...(environment !== "" && { environment }),
  };
  const issuer = host === "github" ? GITHUB_ISSUER : address;
  const onSuccess = (): void => {
    say(`CI jobs of ${repository} can sign in`);
    onClose();
  };
  return (
    <FormDialog
      title="New CI identity"
      confirmLabel="Add the CI identity"
      busy={make.isPending}
      error={make.error}
      onSubmit={() => make.mutate({ body: { issuer, claims, role } }, { onSuccess })}
      onClose={onClose}
    >
      <Select label="Code host" value={host} options={HOSTS} onChange={setHost} />
      {host === "gitlab" && (
        <TextField
          label="Address"
          type="url"
          required
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      )}
      <TextField
        label={host === "github" ? "Repository" : "Project"}
        hint="* stands for any characters"
        placeholder="acme/infra"
        required
        value={repository}
        onChange={({ target }) => setRepository(target.value)}
      />
      <TextField
        label="Ref"
        hint="A branch, or a full ref such as refs/tags/v*; empty for all. Leave it empty for merge requests."
        placeholder="main"
        value={ref}
        onChange={({ target }) => setRef(target.value)}
      />
      <TextField
        label="Environment"
        hint="Empty for all"
        placeholder="production"
        value={environment}
        onChange={({ target }) => setEnvironment(target.value)}
      />
      <Select label="Role" value={role} options={ROLES} onChange={setRole} />
    </FormDialog>
  );
}

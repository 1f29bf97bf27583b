import { useEffect, useRef, useState, type FormEvent } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Card } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";
import { gitlabPages } from "./gitlab.ts";
import { isAboutFields, refusalOf } from "./refusals.ts";
import type { NewWebhookConfig, Source } from "./types.ts";

interface ConnectFormProps {
  source: Source;
  onMade: (config: NewWebhookConfig) => void;
}

/** Asks for a webhook's settings; a token is tried at its instance before it is saved. */
export function ConnectForm({ source, onMade }: ConnectFormProps) {
  const orgId = useOrgId();
  const make = useAct("POST /orgs/{id}/webhooks", ["GET /orgs/{id}/webhooks"]);
  const [address, setAddress] = useState("https://gitlab.com");
  const [repository, setRepository] = useState("");
  const [token, setToken] = useState("");
  const [name, setName] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const place = { address: address.trim(), repository: repository.trim().replaceAll(/^\/+|\/+$/g, "") };
  const problem = (field: Parameters<typeof refusalOf>[1]): string | undefined =>
    refusalOf(make.error, field, place);
  useEffect(() => {
    if (make.error) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [make.error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const common = {
      source,
      ...(name.trim() !== "" && { name: name.trim() }),
      ...(place.repository !== "" && { repo_path: place.repository }),
    };
    const body =
      source === "vcs" ? { ...common, provider_base_url: place.address, api_token: token.trim() } : common;
    make.mutate({ body }, { onSuccess: onMade });
  };
  return (
    <Card title={source === "vcs" ? "Connect GitLab" : "Connect a planner"}>
      <form ref={form} onSubmit={submit} className="flex max-w-xl flex-col gap-5">
        {source === "vcs" && (
          <TextField
            label="GitLab URL"
            type="url"
            required
            value={address}
            onChange={({ target }) => setAddress(target.value)}
            hint="Public HTTPS URL. Leeway checks the token and posts comments there."
            problem={problem("provider_base_url")}
          />
        )}
        <TextField
          label={source === "vcs" ? "Project" : "Repository (optional)"}
          placeholder="platform/network"
          value={repository}
          onChange={({ target }) => setRepository(target.value)}
          hint="Full path with groups, spelled exactly as at the code host. Other repositories are rejected. Leave empty to accept all."
          problem={problem("repo_path")}
        />
        {source === "vcs" && <TokenField {...{ ...place, token, setToken }} problem={problem("api_token")} />}
        <TextField
          label="Name (optional)"
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint="Display name in Leeway"
          problem={problem("name")}
        />
        {make.error && !isAboutFields(make.error) && <Failure error={make.error} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            {submitText(source, make.isPending)}
          </Button>
          <LinkButton to="/orgs/$orgId/webhooks/new" params={{ orgId }} search={{}}>
            Back
          </LinkButton>
        </div>
      </form>
    </Card>
  );
}

function submitText(source: Source, isPending: boolean): string {
  if (source === "planner") return "Create webhook";
  return isPending ? "Testing the token…" : "Test token and connect";
}

interface TokenFieldProps {
  address: string;
  repository: string;
  token: string;
  setToken: (token: string) => void;
  problem: string | undefined;
}

/** Shows the field for an access token, with a link to create one. */
export function TokenField({ address, repository, token, setToken, problem }: TokenFieldProps) {
  const pages = gitlabPages(address, repository);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Access token"
        type="password"
        placeholder="glpat-…"
        required
        maxLength={1000}
        autoComplete="new-password"
        value={token}
        onChange={({ target }) => setToken(target.value)}
        hint="Tested immediately, stored encrypted and never shown again. Comments are posted as its user."
        problem={problem}
      />
      <p className="text-muted text-xs">
        <OutLink to={pages.newToken}>Create one at {pages.host}</OutLink> with the role{" "}
        <strong className="text-ink font-medium">Developer</strong>, the scope{" "}
        <strong className="text-ink font-medium">api</strong> and an{" "}
        <strong className="text-ink font-medium">expiry date</strong>.
      </p>
    </div>
  );
}

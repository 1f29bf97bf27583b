import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card } from "../../ui/page.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Failure } from "../../ui/states.tsx";
import { isTaken, needsGeneralMessage, refusalAt, useRefusedFocus } from "../refusals.ts";
import { SettingsFields } from "./settings-fields.tsx";
import type { Place } from "./search.ts";
import { regionsOf, SHOWS_ACCOUNTS } from "./types.ts";
import { idLabel } from "./id-label.ts";

const FIELDS = ["provider", "external_id", "name", "regions"];

/** Formats of account ids, so that an invalid id is reported before anything is created. */
const IDS: Readonly<Record<Place, { placeholder?: string; pattern?: string; title?: string; hint: string }>> =
  {
    aws: {
      placeholder: "123456789012",
      pattern: String.raw`\s*[0-9]{12}\s*`,
      title: "12 digits",
      hint: "12 digits, shown by aws sts get-caller-identity",
    },
    gcp: {
      placeholder: "shop-prod",
      pattern: String.raw`\s*([a-z][a-z0-9\-]{4,28}[a-z0-9]|[a-z0-9.\-]+:[a-z][a-z0-9\-]*[a-z0-9]|[0-9]{6,19})\s*`,
      title: "6 to 30 lower-case letters, digits and hyphens, starting with a letter; or the project number",
      hint: "6 to 30 lower-case letters, digits and hyphens; or the project number",
    },
    azure: {
      placeholder: "0b1f6471-1bf0-4dda-aec3-cb9272f09590",
      pattern: String.raw`\s*[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\s*`,
      title: "The id of a subscription, such as 0b1f6471-1bf0-4dda-aec3-cb9272f09590",
      hint: "Shown by az account show",
    },
    other: { placeholder: "eu-1", hint: "Distinguishes it from other accounts of this provider" },
  };

/** Adds an account and opens the step that gives Leeway access. */
export function NewAccountForm({ place }: { place: Place }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const make = useAct("POST /orgs/{id}/cloud-accounts", SHOWS_ACCOUNTS);
  const [provider, setProvider] = useState(place === "other" ? "" : place);
  const [externalId, setExternalId] = useState("");
  const [settings, setSettings] = useState({ name: "", regions: "" });
  const form = useRefusedFocus(make.error);
  const { hint, ...looks } = IDS[place];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const [name, regions] = [settings.name.trim(), regionsOf(settings.regions)];
    const body = {
      provider: provider.trim(),
      external_id: externalId.trim(),
      ...(name !== "" && { name }),
      ...(regions.length > 0 && { regions }),
    };
    make.mutate(
      { body },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: "/orgs/$orgId/accounts/$accountId/connect",
            params: { orgId, accountId: id },
            replace: true,
          }),
      },
    );
  };
  return (
    <Card title={place === "other" ? "Account details" : providerName(place)}>
      <form ref={form} onSubmit={submit} className="flex max-w-xl flex-col gap-5">
        {place === "other" && (
          <TextField
            label="Provider"
            required
            placeholder="cloudflare"
            value={provider}
            onChange={({ target }) => setProvider(target.value)}
            hint="One short lower-case word"
            problem={refusalAt(make.error, "provider")}
          />
        )}
        <TextField
          label={place === "other" ? "Id" : idLabel(place)}
          required
          maxLength={200}
          {...looks}
          value={externalId}
          onChange={({ target }) => setExternalId(target.value)}
          hint={hint}
          problem={idRefusal(make.error)}
        />
        <SettingsFields provider={provider} settings={settings} onChange={setSettings} error={make.error} />
        {make.error && !isTaken(make.error) && needsGeneralMessage(make.error, FIELDS) && (
          <Failure error={make.error} />
        )}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            Add account
          </Button>
          <LinkButton to="/orgs/$orgId/accounts/new" params={{ orgId }} search={{}}>
            Back
          </LinkButton>
        </div>
      </form>
    </Card>
  );
}

function idRefusal(error: unknown): string | undefined {
  return isTaken(error) ? "This account is already connected." : refusalAt(error, "external_id");
}

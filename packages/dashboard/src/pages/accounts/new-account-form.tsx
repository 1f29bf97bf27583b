import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { useAct, useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card } from "../../ui/page.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Failure } from "../../ui/states.tsx";
import { isTaken, isToldWhole, refusalAt, useRefusedFocus } from "../refusals.ts";
import { SettingsFields } from "./settings-fields.tsx";
import type { Place } from "./search.ts";
import { regionsOf, SHOWS_ACCOUNTS } from "./types.ts";
import { idLabel } from "./id-label.ts";

const FIELDS = ["provider", "external_id", "name", "regions"];

/** What ids look like, so that one that can't be right is told before anything is made. */
const IDS: Readonly<Record<Place, { placeholder?: string; pattern?: string; title?: string; hint: string }>> =
  {
    aws: {
      placeholder: "123456789012",
      pattern: String.raw`\s*[0-9]{12}\s*`,
      title: "12 digits",
      hint: "12 digits, as aws sts get-caller-identity tells",
    },
    gcp: { placeholder: "shop-prod", hint: "Or its number" },
    azure: {
      placeholder: "0b1f6471-1bf0-4dda-aec3-cb9272f09590",
      pattern: String.raw`\s*[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\s*`,
      title: "The id of a subscription, such as 0b1f6471-1bf0-4dda-aec3-cb9272f09590",
      hint: "As az account show tells",
    },
    other: { placeholder: "eu-1", hint: "What tells it from others of the same provider" },
  };

/** Takes which account it is, adds it, and leads on to how Leeway is let in. */
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
    <Card title={place === "other" ? "Which account" : providerName(place)}>
      <form ref={form} onSubmit={submit} className="flex max-w-xl flex-col gap-5">
        {place === "other" && (
          <TextField
            label="Provider"
            required
            placeholder="cloudflare"
            value={provider}
            onChange={({ target }) => setProvider(target.value)}
            hint="A short word in lower case"
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
        <SettingsFields settings={settings} onChange={setSettings} error={make.error} />
        {make.error && !isTaken(make.error) && isToldWhole(make.error, FIELDS) && (
          <Failure error={make.error} />
        )}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={make.isPending}>
            Add the account
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
  return isTaken(error) ? "It is in the organization already." : refusalAt(error, "external_id");
}

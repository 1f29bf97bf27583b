import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { hasFailedTrial, isToldWhole, keyRefusal, type KeyField } from "./key-refusals.ts";
import { bodyOf, wishOf, type KeyWish } from "./key-wish.ts";
import { PROVIDER_OPTIONS, PROVIDERS } from "./providers.ts";

const CHANGED = ["GET /orgs/{id}/llm-config", "GET /orgs/{id}/llm-usage"] as const;
const OPTION_LABELS = {
  region: "Region",
  deployment: "Deployment (optional)",
  api_version: "API version (optional)",
};

/** Sets the organization's own key, once its provider has taken it. */
export function OwnKeyForm({ config, onClose }: { config: LlmConfig | undefined; onClose: () => void }) {
  const put = useAct("PUT /orgs/{id}/llm-config", CHANGED);
  const [wish, setWish] = useState(() => wishOf(config));
  const keep = (validate: boolean): void =>
    put.mutate(
      { body: bodyOf(wish), query: { validate } },
      {
        onSuccess: () => {
          say("Your key is in use");
          onClose();
        },
      },
    );
  const choose = (value: string): void => {
    const provider = PROVIDER_OPTIONS.find(([name]) => name === value)?.[0] ?? wish.provider;
    setWish({ ...wishOf(undefined), provider, key: wish.key });
    put.reset();
  };
  return (
    <FormDialog
      title="Your own key"
      deed="Try and keep it"
      busy={put.isPending}
      error={put.error && isToldWhole(put.error) ? put.error : undefined}
      more={
        hasFailedTrial(put.error) && (
          <Button busy={put.isPending} onClick={() => keep(false)}>
            Keep it untried
          </Button>
        )
      }
      onSubmit={() => keep(true)}
      onClose={onClose}
    >
      <Select label="Provider" value={wish.provider} options={PROVIDER_OPTIONS} onChange={choose} />
      <Fields
        wish={wish}
        onChange={(changed) => setWish({ ...wish, ...changed })}
        problem={(field) => keyRefusal(put.error, field)}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  wish: KeyWish;
  onChange: (changed: Partial<KeyWish>) => void;
  problem: (field: KeyField) => string | undefined;
}

/** What the chosen provider has to be told. */
function Fields({ wish, onChange, problem }: FieldsProps) {
  const { needsAddress = false, needsModel = false, model, options } = PROVIDERS[wish.provider];
  return (
    <>
      <TextField
        label="API key"
        type="password"
        autoComplete="new-password"
        required
        value={wish.key}
        onChange={({ target }) => onChange({ key: target.value })}
        hint="Tried with a request for one token, stored encrypted, and never shown again."
        problem={problem("api_key")}
      />
      <TextField
        label={needsModel ? "Model" : "Model (optional)"}
        required={needsModel}
        placeholder={model}
        value={wish.model}
        onChange={({ target }) => onChange({ model: target.value })}
        problem={problem("model")}
      />
      {options.map((name) => (
        <TextField
          key={name}
          label={OPTION_LABELS[name]}
          required={name === "region"}
          value={wish.options[name] ?? ""}
          onChange={({ target }) => onChange({ options: { ...wish.options, [name]: target.value } })}
          problem={problem(`options.${name}`)}
        />
      ))}
      <TextField
        label={needsAddress ? "Address" : "Address (optional)"}
        type="url"
        required={needsAddress}
        placeholder="https://models.example.com/v1"
        value={wish.address}
        onChange={({ target }) => onChange({ address: target.value })}
        hint={needsAddress ? "Public https" : "Public https, in place of the provider’s own"}
        problem={problem("base_url")}
      />
    </>
  );
}

import { useState } from "react";

import { useAct } from "../../api/act.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { hasFailedTrial, needsGeneralMessage, keyRefusal, type KeyField } from "./key-refusals.ts";
import { bodyOf, keyFormOf, type KeyForm } from "./key-form.ts";
import { needsModel, PROVIDER_OPTIONS, PROVIDERS } from "./providers.ts";

const CHANGED = ["GET /orgs/{id}/llm-config", "GET /orgs/{id}/llm-usage"] as const;
const OPTION_LABELS = {
  region: "Region",
  deployment: "Deployment (optional)",
  api_version: "API version (optional)",
};

/** Sets the organization's own key after its provider accepts it. */
export function OwnKeyForm({ config, onClose }: { config: LlmConfig | undefined; onClose: () => void }) {
  const put = useAct("PUT /orgs/{id}/llm-config", CHANGED);
  const [form, setForm] = useState(() => keyFormOf(config));
  const keep = (validate: boolean): void =>
    put.mutate(
      { body: bodyOf(form), query: { validate } },
      {
        onSuccess: () => {
          say("Your key is in use");
          onClose();
        },
      },
    );
  const choose = (value: string): void => {
    const provider = PROVIDER_OPTIONS.find(([name]) => name === value)?.[0] ?? form.provider;
    setForm({ ...keyFormOf(undefined), provider, key: form.key });
    put.reset();
  };
  return (
    <FormDialog
      title="Your own key"
      confirmLabel="Test and save"
      busy={put.isPending}
      error={put.error && needsGeneralMessage(put.error) ? put.error : undefined}
      more={
        hasFailedTrial(put.error) && (
          <Button busy={put.isPending} onClick={() => keep(false)}>
            Save without testing
          </Button>
        )
      }
      onSubmit={() => keep(true)}
      onClose={onClose}
    >
      <Select label="Provider" value={form.provider} options={PROVIDER_OPTIONS} onChange={choose} />
      <Fields
        form={form}
        onChange={(changed) => setForm({ ...form, ...changed })}
        problem={(field) => keyRefusal(put.error, field)}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  form: KeyForm;
  onChange: (changed: Partial<KeyForm>) => void;
  problem: (field: KeyField) => string | undefined;
}

/** Shows the fields that the chosen provider needs. */
function Fields({ form, onChange, problem }: FieldsProps) {
  const rules = PROVIDERS[form.provider];
  const needsAddress = rules.address === "base_url";
  const isModelRequired = needsModel(rules);
  return (
    <>
      <TextField
        label="API key"
        type="password"
        autoComplete="new-password"
        required
        value={form.key}
        onChange={({ target }) => onChange({ key: target.value })}
        hint="Tested with a one-token request, stored encrypted and never shown again."
        problem={problem("api_key")}
      />
      <TextField
        label={isModelRequired ? "Model" : "Model (optional)"}
        required={isModelRequired}
        placeholder={rules.modelHint}
        value={form.model}
        onChange={({ target }) => onChange({ model: target.value })}
        problem={problem("model")}
      />
      {rules.options.map((name) => (
        <TextField
          key={name}
          label={OPTION_LABELS[name]}
          required={name === "region"}
          value={form.options[name] ?? ""}
          onChange={({ target }) => onChange({ options: { ...form.options, [name]: target.value } })}
          problem={problem(`options.${name}`)}
        />
      ))}
      <TextField
        label={needsAddress ? "Address" : "Address (optional)"}
        type="url"
        required={needsAddress}
        placeholder="https://models.example.com/v1"
        value={form.address}
        onChange={({ target }) => onChange({ address: target.value })}
        hint={needsAddress ? "Public HTTPS address" : "Public HTTPS address to use instead of the provider’s"}
        problem={problem("base_url")}
      />
    </>
  );
}

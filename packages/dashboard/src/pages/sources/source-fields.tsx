import { Select, TextField } from "../../ui/field.tsx";
import { providerName } from "../../ui/provider.tsx";
import { useAccounts } from "../accounts.ts";
import { isTaken, refusalAt } from "../refusals.ts";
import {
  BACKEND_FIELDS,
  isOtherBackend,
  ORIGINS,
  providerOf,
  type Backend,
  type BackendField,
  type Typed,
} from "./backends.ts";
import type { Source } from "./place.ts";
import type { SourceForm } from "./source-form.ts";

/** Body paths whose errors are shown at a field. */
export const SOURCE_PATHS = [
  "name",
  "cloud_account_id",
  ...new Set(Object.values(BACKEND_FIELDS).flatMap((fields) => fields.map(({ name }) => `backend.${name}`))),
];

interface SourceFieldsProps {
  form: SourceForm;
  onChange: (form: SourceForm) => void;
  /** Source to edit; absent for a new one. */
  source: Source | undefined;
  error: unknown;
}

export function SourceFields({ form, onChange, source, error }: SourceFieldsProps) {
  const { origin } = form;
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={200}
        placeholder="network/prod"
        value={form.name}
        onChange={({ target }) => onChange({ ...form, name: target.value })}
        problem={isTaken(error) ? "Another source has this name." : refusalAt(error, "name")}
      />
      <Select
        label="State origin"
        value={origin}
        options={ORIGINS}
        onChange={(origin) => onChange({ ...form, origin })}
      />
      {origin !== "push" && <BackendFields {...{ form, onChange, source, error, origin }} />}
      <Account {...{ form, onChange, error }} />
    </>
  );
}

function Account({ form, onChange, error }: Omit<SourceFieldsProps, "source">) {
  const provider = providerOf(form.origin);
  const { options, isNone } = useAccounts(undefined, provider);
  const chosen = options.some(([id]) => id === form.accountId) ? form.accountId : "";
  const looks =
    provider === undefined
      ? { label: "Account (optional)", hint: "If empty, its resources are matched in all accounts" }
      : { label: "Account", hint: isNone ? noneOf(provider) : "Leeway reads the state with its credentials" };
  return (
    <Select
      {...looks}
      required={provider !== undefined}
      value={chosen}
      options={[["", provider === undefined ? "Any" : "Choose one"], ...options]}
      onChange={(accountId) => onChange({ ...form, accountId })}
      problem={refusalAt(error, "cloud_account_id")}
    />
  );
}

function noneOf(provider: string): string {
  return `No ${providerName(provider)} account yet. Connect one under Accounts.`;
}

interface BackendFieldsProps extends SourceFieldsProps {
  origin: Backend["type"];
}

function BackendFields({ form, onChange, source, error, origin }: BackendFieldsProps) {
  const { typed } = form;
  const isOther = isOtherBackend(source?.backend, origin, typed);
  return BACKEND_FIELDS[origin].map((field) => (
    <TextField
      key={field.name}
      {...looksOf(field)}
      {...(field.isSecret && secretLooks(field, { typed, isNew: !source?.backend, isOther }))}
      value={typed[field.name] ?? ""}
      onChange={({ target }) => onChange({ ...form, typed: { ...typed, [field.name]: target.value } })}
      problem={refusalAt(error, `backend.${field.name}`)}
    />
  ));
}

function looksOf({ label, placeholder, hint, isOptional = false }: BackendField) {
  return { label: isOptional ? `${label} (optional)` : label, placeholder, hint, required: !isOptional };
}

interface Given {
  typed: Typed;
  /** Whether there was no backend before. */
  isNew: boolean;
  /** Whether the backend will be replaced. */
  isOther: boolean;
}

/**
 * Returns the properties of a secret field. Changing the location discards the secret; only then must it be typed
 * again.
 */
function secretLooks({ hint, isOptional }: BackendField, { typed, isNew, isOther }: Given) {
  const isNeeded = !isOptional || (typed["username"] ?? "") !== "";
  return {
    type: "password",
    required: isOther && isNeeded,
    ...(!isOther && { placeholder: "Unchanged" }),
    hint: isNew ? hint : "Leave empty to keep it. Enter it again if the location changes.",
  };
}

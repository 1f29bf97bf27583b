import { TextField } from "../../ui/field.tsx";
import { refusalAt } from "../refusals.ts";

interface Settings {
  name: string;
  /** Regions as typed, in one line. */
  regions: string;
}

const REGIONS: Readonly<Record<string, string>> = {
  aws: "eu-west-1, us-east-1",
  gcp: "europe-west1, us-central1",
  azure: "westeurope, eastus",
};

interface SettingsFieldsProps {
  /** Provider of the account, whose regions are suggested. */
  provider: string;
  settings: Settings;
  onChange: (settings: Settings) => void;
  error: unknown;
  /** Whether a name is required: an existing name can't be removed. */
  isNamed?: boolean;
}

/** Shows the account fields that can be changed at any time. */
export function SettingsFields({
  provider,
  settings,
  onChange,
  error,
  isNamed = false,
}: SettingsFieldsProps) {
  return (
    <>
      <TextField
        label={isNamed ? "Name" : "Name (optional)"}
        placeholder="production"
        required={isNamed}
        maxLength={200}
        value={settings.name}
        onChange={({ target }) => onChange({ ...settings, name: target.value })}
        hint={isNamed ? "Display name in Leeway" : "Display name in Leeway; by default, the id"}
        problem={refusalAt(error, "name")}
      />
      <TextField
        label="Regions (optional)"
        placeholder={REGIONS[provider] ?? ""}
        value={settings.regions}
        onChange={({ target }) => onChange({ ...settings, regions: target.value })}
        hint="Scans read these regions and global resources. Leave empty for all regions."
        problem={refusalAt(error, "regions")}
      />
    </>
  );
}

import { TextField } from "../../ui/field.tsx";
import { refusalAt } from "../refusals.ts";

interface Settings {
  name: string;
  /** As they are typed, one beside the other. */
  regions: string;
}

interface SettingsFieldsProps {
  settings: Settings;
  onChange: (settings: Settings) => void;
  error: unknown;
  /** Whether there has to be a name: one that is there can't be taken away. */
  isNamed?: boolean;
}

/** The fields of what may be changed of an account at any time. */
export function SettingsFields({ settings, onChange, error, isNamed = false }: SettingsFieldsProps) {
  return (
    <>
      <TextField
        label={isNamed ? "Name" : "Name (optional)"}
        placeholder="production"
        required={isNamed}
        maxLength={200}
        value={settings.name}
        onChange={({ target }) => onChange({ ...settings, name: target.value })}
        hint={isNamed ? "How it is listed here" : "How it is listed here; its id without one"}
        problem={refusalAt(error, "name")}
      />
      <TextField
        label="Regions (optional)"
        placeholder="eu-west-1, us-east-1"
        value={settings.regions}
        onChange={({ target }) => onChange({ ...settings, regions: target.value })}
        hint="Scans read these, and what is in no region; all regions without any"
        problem={refusalAt(error, "regions")}
      />
    </>
  );
}

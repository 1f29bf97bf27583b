import { DRIFT_KINDS, RISK_LEVELS } from "../../api/closed-sets.gen.ts";
import { Check, Select } from "../../ui/field.tsx";
import { inWords } from "../words.ts";
import { KIND_NAMES } from "./change.tsx";

interface ChangeFiltersProps {
  search: { kind?: string; risk_level?: string; noise?: string };
  onFilter: (changed: Record<string, string>) => void;
}

/** Shows the filters of a snapshot's changes. Noise is hidden by default. */
export function ChangeFilters({ search, onFilter }: ChangeFiltersProps) {
  return (
    <>
      <Select
        bare
        label="Kind"
        value={search.kind ?? ""}
        options={[["", "Any kind"], ...DRIFT_KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const)]}
        onChange={(kind) => onFilter({ kind })}
      />
      <Select
        bare
        label="Risk"
        value={search.risk_level ?? ""}
        options={[["", "Any risk"], ...RISK_LEVELS.map((level) => [level, inWords(level)] as const)]}
        onChange={(level) => onFilter({ risk_level: level })}
      />
      <span className="flex h-8 items-center">
        <Check
          label="Show noise"
          checked={search.noise === "include"}
          onChange={(checked) => onFilter({ noise: checked ? "include" : "" })}
        />
      </span>
    </>
  );
}

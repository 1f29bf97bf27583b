import { Check, Select } from "../../ui/field.tsx";
import { inWords } from "../words.ts";
import { KIND_NAMES } from "./change.tsx";
import { KINDS, LEVELS } from "./search.ts";

interface ChangeFiltersProps {
  search: { kind?: string; risk_level?: string; noise?: string };
  onFilter: (changed: Record<string, string>) => void;
}

/** The filters that every listing of changes has; noise is folded away until it is asked for. */
export function ChangeFilters({ search, onFilter }: ChangeFiltersProps) {
  return (
    <>
      <Select
        bare
        label="Kind"
        value={search.kind ?? ""}
        options={[["", "Any kind"], ...KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const)]}
        onChange={(kind) => onFilter({ kind })}
      />
      <Select
        bare
        label="Risk"
        value={search.risk_level ?? ""}
        options={[["", "Any risk"], ...LEVELS.map((level) => [level, inWords(level)] as const)]}
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

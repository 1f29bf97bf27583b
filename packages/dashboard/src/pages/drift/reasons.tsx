import { countOf } from "../../ui/number.ts";
import { pathText } from "../../ui/path-text.ts";
import { inWords } from "../words.ts";
import type { DriftChange } from "./change.tsx";

type Flag = DriftChange["risk_flags"][number];

/** Lists the rules' findings about a change. */
export function Reasons({ flags }: { flags: readonly Flag[] }) {
  if (flags.length === 0) return undefined;
  return (
    <ul className="text-sm">
      {flags.map((flag) => (
        <li key={flag.rule + reasonOf(flag)} className="wrap-anywhere">
          {reasonOf(flag)} <code className="text-muted font-mono text-xs">{flag.rule}</code>
        </li>
      ))}
    </ul>
  );
}

const MAX_PATHS = 3;

/** Returns a finding's message. Changes stored before findings had messages name the paths to look at. */
function reasonOf({ flag, message, evidence }: Flag): string {
  if (message !== undefined) return message;
  const shown = evidence.slice(0, MAX_PATHS).map(pathText).join(", ");
  const left = evidence.length - MAX_PATHS;
  const paths = left > 0 ? `${shown} and ${countOf(left, "other")}` : shown;
  return paths === "" ? inWords(flag) : `${inWords(flag)}: ${paths}`;
}

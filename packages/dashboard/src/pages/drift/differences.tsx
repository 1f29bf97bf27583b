import { Link } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import { countOf } from "../../ui/number.ts";
import { Some } from "../../ui/some.tsx";
import { pathText, ValueChange } from "../../ui/value-change.tsx";
import { inWords } from "../words.ts";
import type { DriftChange } from "./change.tsx";

/** What a change consists of, folded away: its values, the rules that it touches, and where it lives. */
export function Differences({ change }: { change: DriftChange }) {
  const orgId = useOrgId();
  const { attribute_changes: values, risk_flags: flags, live_resource_id: live } = change;
  return (
    <details>
      <summary className="text-muted hover:text-ink w-fit text-xs">
        {values.length === 0 ? "Details" : countOf(values.length, "difference")}
      </summary>
      <div className="mt-2 flex flex-col gap-2">
        <Some items={values}>
          {(value) => (
            <ValueChange key={JSON.stringify(value.path)} change={value} sides={["Declared", "Live"]} />
          )}
        </Some>
        {flags.length > 0 && (
          <ul className="text-xs">
            {flags.map(({ rule, flag, evidence }) => (
              <li key={rule + flag}>
                <code className="font-mono">{rule}</code> {inWords(flag)}
                {evidence.length > 0 && (
                  <span className="text-muted">, because of {evidenceText(evidence)}</span>
                )}
              </li>
            ))}
          </ul>
        )}
        {live !== undefined && (
          <Link
            to="/orgs/$orgId/inventory/$resourceId"
            params={{ orgId, resourceId: live }}
            className="text-accent w-fit text-xs underline-offset-4 hover:underline"
          >
            The resource
          </Link>
        )}
      </div>
    </details>
  );
}

const MOST_PATHS = 3;

function evidenceText(paths: DriftChange["risk_flags"][number]["evidence"]): string {
  const shown = paths.slice(0, MOST_PATHS).map(pathText).join(", ");
  const left = paths.length - MOST_PATHS;
  return left > 0 ? `${shown} and ${countOf(left, "other")}` : shown;
}

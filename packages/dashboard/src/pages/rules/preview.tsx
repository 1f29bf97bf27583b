import { Link } from "@tanstack/react-router";

import type { Answer } from "../../api/client.ts";
import { useOrgId } from "../../api/hooks.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";
import { KIND_NAMES, nameOfChange } from "../drift/change.tsx";
import { needsGeneralMessage } from "../refusals.ts";
import { RULE_PATHS } from "./rule-fields.tsx";
import type { RuleForm } from "./rule-form.ts";

type Previewed = Answer<"POST /orgs/{id}/rules/preview">;

interface PreviewProps {
  form: RuleForm;
  /** Absent before the first preview, and after a change of the rule. */
  preview: Previewed | undefined;
  error: unknown;
}

/** Shows what the rule would do to the current changes. */
export function Preview({ form, preview, error }: PreviewProps) {
  return (
    <Card title="Preview">
      <div role="region" aria-label="Preview" aria-live="polite" className="flex flex-col gap-3">
        {error !== null && needsGeneralMessage(error, RULE_PATHS) && <Failure error={error} />}
        {preview ? (
          <Effect form={form} preview={preview} />
        ) : (
          <p className="text-muted">
            See which of the current changes the rule would apply to. Nothing is saved.
          </p>
        )}
        {form.on.some((subject) => subject === "finding" || subject === "noise") && (
          <p className="text-muted text-xs">
            Findings and noise in plans aren’t counted here. The rule applies to plans from now on.
          </p>
        )}
      </div>
    </Card>
  );
}

function Effect({ form: { effect, level }, preview }: { form: RuleForm; preview: Previewed }) {
  const { matched_count: matched, evaluated_count: all, failed_count: failed, failure, samples } = preview;
  const effects = {
    ignore: `would hide ${countText(preview.hidden_count)}`,
    raise_to: `would raise ${countText(preview.raised_count)} to ${level}`,
    label: `would label ${countText(matched)}`,
  };
  return (
    <>
      <p>
        <strong className="font-semibold">
          Matches {countText(matched)} of {countOf(all, "current change")}
        </strong>
        {matched > 0 && <>, and {effects[effect]}</>}.
      </p>
      {failed > 0 && (
        <Notice tone="medium" title={`The condition fails for ${countOf(failed, "change")}`}>
          <p>
            They don’t match. The first failure: <code className="font-mono text-xs">{failure}</code>
          </p>
        </Notice>
      )}
      {samples.length > 0 && <Samples samples={samples} of={matched} />}
    </>
  );
}

function Samples({ samples, of }: { samples: Previewed["samples"]; of: number }) {
  const orgId = useOrgId();
  return (
    <>
      <ul className="border-line divide-line divide-y rounded-lg border">
        {samples.map((change) => (
          <li key={change.id} className="flex items-center justify-between gap-3 px-3 py-1.5">
            <span className="min-w-0">
              <Link
                to="/orgs/$orgId/drift/$fingerprint"
                params={{ orgId, fingerprint: change.fingerprint }}
                target="_blank"
                className="block truncate font-medium hover:underline"
              >
                {nameOfChange(change)}
              </Link>
              <span className="text-muted block truncate text-xs">
                {KIND_NAMES[change.kind]}, {change.resource_type}
              </span>
            </span>
            <LevelBadge level={change.risk_level} />
          </li>
        ))}
      </ul>
      {of > samples.length && (
        <p className="text-muted text-xs">The worst {countText(samples.length)} are shown.</p>
      )}
    </>
  );
}

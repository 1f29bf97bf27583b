import { Badge } from "../../ui/badge.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { outcomeOf, triedText, type Check } from "./check-words.ts";
import type { Verification } from "./types.ts";

interface VerificationResultProps {
  verification: Verification;
  identity?: string | undefined;
}

/** Shows the result of verifying credentials: a summary, then each check. */
export function VerificationResult({ verification, identity }: VerificationResultProps) {
  const { checks, missing_permissions: missing, verified_at: at } = verification;
  return (
    <>
      <Conclusion verification={verification} />
      <ul className="border-line divide-line divide-y rounded-lg border">
        {checks.map((check) => (
          <CheckLine key={check.name} check={check} />
        ))}
      </ul>
      {missing.length > 0 && <CopyLine name="Permissions to add" value={missing.join(" ")} />}
      <p className="text-muted text-xs wrap-anywhere">
        Checked <Time at={at} />
        {identity !== undefined && `, as ${identity}`}
      </p>
    </>
  );
}

function Conclusion({ verification: { status, checks } }: { verification: Verification }) {
  if (status === "failing") {
    return (
      <Notice tone="critical" title="Verification failed">
        <p>Fix the failed checks in the cloud, then verify again. Changes there can take a few minutes.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="good" title="Verification succeeded">
      {checks.some(({ ok }) => !ok) && <p>Some optional checks failed.</p>}
    </Notice>
  );
}

function CheckLine({ check }: { check: Check }) {
  const { tone, text } = outcomeOf(check);
  const { missing = [], message, optional } = check;
  const unmentioned = missing.filter((permission) => !message?.includes(permission));
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-3 py-2.5">
      <div className="min-w-48 flex-1">
        <div className="font-medium">{triedText(check)}</div>
        {message !== undefined && <p className="text-muted text-xs wrap-anywhere">{message}</p>}
        {unmentioned.length > 0 && (
          <p className="text-muted text-xs wrap-anywhere">Missing: {unmentioned.join(", ")}</p>
        )}
      </div>
      <div className="flex items-center gap-2">
        {optional && <Badge title="Scans work without it">Optional</Badge>}
        <Badge tone={tone}>{text}</Badge>
      </div>
    </li>
  );
}

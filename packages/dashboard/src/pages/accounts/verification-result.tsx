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

/** What came of trying an account's credentials: all of it in a sentence, then each check. */
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
        Tried <Time at={at} />
        {identity !== undefined && `, as ${identity}`}
      </p>
    </>
  );
}

function Conclusion({ verification: { status, checks } }: { verification: Verification }) {
  if (status === "failing") {
    return (
      <Notice tone="critical" title="Something that a scan needs doesn’t work">
        <p>Mend it in the cloud, then verify again. What is new there can take some minutes.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="good" title="All that a scan needs works">
      {checks.some(({ ok }) => !ok) && <p>Only what is optional doesn’t.</p>}
    </Notice>
  );
}

function CheckLine({ check }: { check: Check }) {
  const { tone, text } = outcomeOf(check);
  const { missing = [], message, optional } = check;
  const untold = missing.filter((permission) => !message?.includes(permission));
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-3 py-2.5">
      <div className="min-w-48 flex-1">
        <div className="font-medium">{triedText(check)}</div>
        {message !== undefined && <p className="text-muted text-xs wrap-anywhere">{message}</p>}
        {untold.length > 0 && (
          <p className="text-muted text-xs wrap-anywhere">Missing: {untold.join(", ")}</p>
        )}
      </div>
      <div className="flex items-center gap-2">
        {optional && <Badge title="Scans work without it">Optional</Badge>}
        <Badge tone={tone}>{text}</Badge>
      </div>
    </li>
  );
}

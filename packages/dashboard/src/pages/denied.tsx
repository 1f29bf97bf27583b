import { Link } from "@tanstack/react-router";

import { ApiFailure } from "../api/failure.ts";
import { useOrgId } from "../api/hooks.ts";
import { Countdown } from "../ui/countdown.tsx";
import { Notice } from "../ui/notice.tsx";
import { Failure } from "../ui/states.tsx";

const TITLES: Readonly<Record<string, string>> = {
  plan_weekly_quota_exhausted: "This week’s model calls are used up",
  plan_hard_off: "Model calls are switched off",
  plan_hourly_rate_limit: "This hour’s model calls are used up",
  byok_rate_limited: "Your own key is paused",
};

/** Explains why a request to a model was denied, and when it can be repeated. Shows other failures as usual. */
export function Denied({ error }: { error: unknown }) {
  const orgId = useOrgId();
  const title = error instanceof ApiFailure ? TITLES[error.code] : undefined;
  if (!(error instanceof ApiFailure) || title === undefined) return <Failure error={error} />;
  const opens = opensAt(error);
  return (
    <Notice tone="medium" title={title}>
      <p>
        {opens === undefined ? (
          "The limit doesn’t reset. "
        ) : (
          <>
            Try again in <Countdown to={opens} />.{" "}
          </>
        )}
        <Link
          to="/orgs/$orgId/usage"
          params={{ orgId }}
          className="text-accent underline-offset-4 hover:underline"
        >
          Model usage
        </Link>
      </p>
    </Notice>
  );
}

/** Returns when the closed gate reopens; undefined if waiting doesn't help. */
function opensAt({ code, body }: ApiFailure): string | undefined {
  const members: Readonly<Record<string, string>> = {
    plan_weekly_quota_exhausted: "week_resets_at",
    plan_hourly_rate_limit: "hour_resets_at",
    byok_rate_limited: "retry_at",
  };
  const at = body[members[code] ?? ""];
  return typeof at === "string" ? at : undefined;
}

import { useRead } from "../../api/hooks.ts";
import type { LlmUsage } from "../../api/openapi.gen.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { GateCard } from "./gate-card.tsx";
import { History } from "./history.tsx";
import { OwnKey } from "./own-key.tsx";

const FRESH_MS = 15_000;
const PLANS: Readonly<Record<LlmUsage["plan"], string>> = {
  free: "Free",
  team: "Team",
  enterprise: "Enterprise",
};

/** Shows how much a language model may be used, and with which key. */
export function UsagePage() {
  const usage = useRead("GET /orgs/{id}/llm-usage", { everyMs: FRESH_MS });
  return (
    <Page
      title="Model usage"
      lead="A language model summarizes plans and drift. Findings, risk and noise need no model."
    >
      <Read read={usage}>
        {(usage) => (
          <>
            {usage.byok_configured && (
              <Notice tone="good" title="Your own key is in use">
                <p>Leeway calls models with it. Both limits are bypassed and count nothing.</p>
              </Notice>
            )}
            {!usage.byok_configured && !usage.platform_model_configured && (
              <Notice tone="medium" title="No model is configured">
                <p>
                  This server offers no model. Summaries of plans and drift come from rules until you add your
                  own key.
                </p>
              </Notice>
            )}
            <div className="grid gap-4 md:grid-cols-2">
              <GateCard
                name="This week"
                plan={PLANS[usage.plan]}
                used={usage.weekly_used}
                cap={usage.weekly_cap}
                resetsAt={usage.week_resets_at}
                isAdvisory={usage.byok_configured}
              />
              <GateCard
                name="This hour"
                plan={PLANS[usage.plan]}
                used={usage.hourly_used}
                cap={usage.hourly_cap}
                resetsAt={usage.hour_resets_at}
                isAdvisory={usage.byok_configured}
              />
            </div>
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <History />
              <OwnKey
                isConfigured={usage.byok_configured}
                hasPlatformModel={usage.platform_model_configured}
              />
            </div>
          </>
        )}
      </Read>
    </Page>
  );
}

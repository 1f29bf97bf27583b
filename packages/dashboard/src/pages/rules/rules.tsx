import { Plus } from "lucide-react";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { BuiltInRules } from "./built-in-rules.tsx";
import { IgnoredDrift } from "./ignored-drift.tsx";
import { MutedNoise } from "./muted-noise.tsx";
import { OwnRules } from "./own-rules.tsx";

/** Shows everything that hides, raises or labels drift and noise: who decided it, why and until when. */
export function RulesPage() {
  const orgId = useOrgId();
  const may = useMay("admin");
  const rules = useRead("GET /orgs/{id}/rules", {});
  return (
    <Page
      title="Rules"
      lead="Rules and decisions that hide, raise or label drift and noise: who made them, why and until when."
      {...(may && {
        actions: (
          <LinkButton kind="primary" to="/orgs/$orgId/rules/new" params={{ orgId }}>
            <Plus aria-hidden="true" className="size-4" /> New rule
          </LinkButton>
        ),
      })}
    >
      <Read read={rules}>
        {({ data }) => <OwnRules rules={data.filter(({ built_in: isBuiltIn }) => !isBuiltIn)} />}
      </Read>
      <IgnoredDrift />
      <MutedNoise />
      <Read read={rules}>
        {({ data }) => <BuiltInRules rules={data.filter(({ built_in: isBuiltIn }) => isBuiltIn)} />}
      </Read>
    </Page>
  );
}

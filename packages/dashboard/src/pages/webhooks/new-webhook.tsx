import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { GitMerge, Workflow } from "lucide-react";
import { useState } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Page } from "../../ui/page.tsx";
import { Steps } from "../../ui/steps.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { SetUp } from "./set-up.tsx";
import type { NewWebhookConfig, Source } from "./types.ts";
import { newWebhookSearch } from "./search.ts";

const PATH = "/orgs/$orgId/webhooks/new";
const STEPS = ["Choose the sender", "Connect it", "Send the first event"];

/** Guides the person from the start to a first verified event. */
export function NewWebhookPage() {
  const orgId = useOrgId();
  const { source, made: madeId } = useSearch({ from: PATH, select: newWebhookSearch });
  const navigate = useNavigate({ from: PATH });
  const [made, setMade] = useState<NewWebhookConfig>();
  const may = useMay("admin");
  const take = (config: NewWebhookConfig): void => {
    setMade(config);
    // Stores the webhook in the URL, so that a reload or going back doesn't create another.
    void navigate({ search: (before) => ({ ...before, made: config.id }), replace: true });
  };
  if (!made && madeId !== undefined) {
    return <Navigate to="/orgs/$orgId/webhooks/$configId" params={{ orgId, configId: madeId }} replace />;
  }
  return (
    <Page
      title="Connect a webhook"
      back={
        <BackLink to="/orgs/$orgId/webhooks" params={{ orgId }}>
          Webhooks
        </BackLink>
      }
    >
      <Steps steps={STEPS} current={made ? 2 : Number(source !== undefined)} />
      {may ? (
        !made && <Beginning source={source} onMade={take} />
      ) : (
        <Notice tone="neutral" title="Only an owner or admin can do this">
          Webhooks let other systems send events to the organization.
        </Notice>
      )}
      {made && <SetUp config={made} secret={made.raw_secret} />}
    </Page>
  );
}

interface BeginningProps {
  source: Source | undefined;
  onMade: (config: NewWebhookConfig) => void;
}

function Beginning({ source, onMade }: BeginningProps) {
  return source ? <ConnectForm key={source} source={source} onMade={onMade} /> : <Sources />;
}

function Sources() {
  const orgId = useOrgId();
  const way = { to: "/orgs/$orgId/webhooks/new", params: { orgId } } as const;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Choice {...way} search={{ source: "vcs" }} icon={<GitMerge className="size-5" />} title="GitLab">
        Merge requests and comments from GitLab.com or self-managed GitLab. Leeway answers commands there,
        such as <code className="font-mono text-xs">/leeway help</code>. You need an access token.
      </Choice>
      <Choice
        {...way}
        search={{ source: "planner" }}
        icon={<Workflow className="size-5" />}
        title="A planner or pipeline"
      >
        Plans from Atlantis, GitHub Actions, GitLab CI or another tool. Leeway reviews each plan and comments
        on the pull request. You need no token.
      </Choice>
    </div>
  );
}

import type { ReactNode } from "react";

import { useMay } from "../../session/organizations.ts";
import { Code } from "../../ui/code.tsx";
import { CopyLine, SecretOnce } from "../../ui/copy.tsx";
import { NumberedStep } from "../../ui/numbered-step.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Card } from "../../ui/page.tsx";
import { Views } from "../../ui/views.tsx";
import { FirstEvent } from "./first-event.tsx";
import { gitlabPages } from "./gitlab.ts";
import type { WebhookConfig } from "./types.ts";
import { workflowSteps } from "./workflow-steps.ts";

interface SetUpProps {
  config: WebhookConfig;
  /** Secret; known only right after it was created. */
  secret?: string;
}

/** Shows where to paste the settings, then waits for the first event. */
export function SetUp({ config, secret }: SetUpProps) {
  const may = useMay("admin");
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title={config.source === "vcs" ? "Add the webhook in GitLab" : "Add this to your planner"}>
        <div className="flex flex-col gap-5">
          {secret === undefined ? (
            <p className="text-muted">
              The secret was shown once. If it wasn’t copied,{" "}
              {may ? "rotate it to get a new one." : "an owner or admin can rotate it."}
            </p>
          ) : (
            <SecretOnce secret={secret} what="the secret" />
          )}
          {config.source === "vcs" ? <AtGitlab config={config} /> : <AtPlanner config={config} />}
        </div>
      </Card>
      <FirstEvent config={config} isMade={secret !== undefined} />
    </div>
  );
}

function AtGitlab({ config }: { config: WebhookConfig }) {
  const { repo_path: repository, provider_base_url: address } = config;
  const { hooks, host } = gitlabPages(address, repository);
  return (
    <ol className="flex flex-col gap-5">
      <NumberedStep number={1} title="Open the webhook settings">
        <p>
          At <OutLink to={hooks}>{host}</OutLink>, in {repository ?? "the project or group"}:{" "}
          <em className="not-italic font-medium">Settings, Webhooks, Add new webhook</em>.
        </p>
      </NumberedStep>
      <NumberedStep number={2} title="Fill it in">
        <CopyLine name="URL" value={config.url} />
        <p>
          <strong className="font-medium">Secret token</strong>: the webhook’s secret, all of it. GitLab sends
          it in the header <code className="font-mono text-xs">X-Gitlab-Token</code>.
        </p>
      </NumberedStep>
      <NumberedStep number={3} title="Select two triggers">
        <ul className="flex flex-col gap-1.5">
          <Tick>Merge request events</Tick>
          <Tick>Comments</Tick>
        </ul>
        <p className="text-muted">
          Select no others. Leave <span className="text-ink">Enable SSL verification</span> ticked, then press{" "}
          <span className="text-ink">Add webhook</span>.
        </p>
      </NumberedStep>
      <NumberedStep number={4} title="Send an event">
        <p>
          Next to the new webhook: <em className="not-italic font-medium">Test, Merge request events</em>. Or
          open a merge request.
        </p>
      </NumberedStep>
    </ol>
  );
}

function AtPlanner({ config }: { config: WebhookConfig }) {
  const steps = workflowSteps(config.url, config.repo_path);
  return (
    <ol className="flex flex-col gap-5">
      <NumberedStep number={1} title="Set two variables">
        <CopyLine name="LEEWAY_WEBHOOK_URL" value={config.url} />
        <p>
          <code className="font-mono text-xs">LEEWAY_WEBHOOK_SECRET</code>: the webhook’s secret, all of it.
          Keep it with the server’s or pipeline’s own secrets, not in a repository.
        </p>
      </NumberedStep>
      <NumberedStep number={2} title="Add a step after the plan">
        <Views
          label="Planner"
          views={steps.map(({ title, file, code }) => [title, <Code key={title} title={file} code={code} />])}
        />
        <p className="text-muted">
          <code className="font-mono text-xs">leeway</code> is one file to put on the planner’s PATH. With{" "}
          <code className="font-mono text-xs">--soft</code> it never fails a plan.
        </p>
      </NumberedStep>
      <NumberedStep number={3} title="Run a plan">
        <p>Open a pull request that changes infrastructure, or try it by hand.</p>
      </NumberedStep>
    </ol>
  );
}

function Tick({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className="bg-accent text-accent-ink flex size-4 items-center justify-center rounded text-[10px]"
      >
        ✓
      </span>
      {children}
    </li>
  );
}

import { useState } from "react";

import type { Body } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import type { PlanNoise } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { Denied } from "../denied.tsx";
import { Outcome, useJob, type Job } from "../plans/job.tsx";

const STRATEGIES = [
  ["auto", "The smallest change"],
  ["normalize", "Write the value as the provider returns it"],
  ["ignore_changes", "Ignore changes to it"],
  ["upgrade_provider", "Upgrade the provider"],
] as const;
type Strategy = (typeof STRATEGIES)[number][0];
const CHANGED = [
  "GET /orgs/{id}/plan-noise/{fingerprint}",
  "GET /orgs/{id}/llm-jobs",
  "GET /orgs/{id}/llm-usage",
] as const;

/** Requests a fix, waits for it and shows it; starts with the last one. */
export function FixNoise({ noise }: { noise: PlanNoise }) {
  const start = useAct("POST /plan-noise/{fingerprint}/fix", CHANGED);
  const may = useMay("member");
  const running = runningJob(start.error);
  const jobId = start.data?.job_id ?? running ?? noise.fix_job_id;
  const job = useJob(jobId ?? "");
  return (
    <>
      {may && (
        <Card title="Fix this noise">
          <div className="flex flex-col gap-4">
            <FixForm
              isBusy={start.isPending || isUnderWay(job.data)}
              onSubmit={(body) => start.mutate({ params: { fingerprint: noise.fingerprint }, body })}
            />
            {start.error && running === undefined && <Denied error={start.error} />}
          </div>
        </Card>
      )}
      {jobId !== undefined && <Made job={job} />}
    </>
  );
}

/** Shows the fix while it is made; nothing if the job was deleted after its retention. */
function Made({ job }: { job: ReturnType<typeof useJob> }) {
  if (job.error?.status === 404) return undefined;
  return <Read read={job}>{(job) => <Outcome job={job} />}</Read>;
}

function isUnderWay(job: Job | undefined): boolean {
  return job?.status === "queued" || job?.status === "running";
}

interface FixFormProps {
  isBusy: boolean;
  onSubmit: (request: Body<"POST /plan-noise/{fingerprint}/fix">) => void;
}

/** Asks for the fix's strategy, and for code. */
function FixForm({ isBusy, onSubmit }: FixFormProps) {
  const orgId = useOrgId();
  const [strategy, setStrategy] = useState<Strategy>("auto");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isUnread, setUnread] = useState(false);
  const submit = async (): Promise<void> => {
    // Browsers can't read a file that was changed after it was chosen.
    const source = await sourcesOf(files).catch(() => undefined);
    setUnread(source === undefined);
    if (!source) return;
    onSubmit({ org_id: orgId, strategy, ...(source.length > 0 && { source }) });
  };
  return (
    <>
      <Select
        label="Strategy"
        value={strategy}
        options={STRATEGIES}
        onChange={(value) => setStrategy(STRATEGIES.find(([name]) => name === value)?.[0] ?? "auto")}
      />
      <Sources onChoose={setFiles} />
      {isUnread && (
        <Notice tone="critical" title="Your code couldn’t be read">
          <p>A file was changed or moved after you chose it. Choose it again.</p>
        </Notice>
      )}
      <Button kind="primary" busy={isBusy} onClick={() => void submit()} className="self-start">
        Create fix
      </Button>
    </>
  );
}

function sourcesOf(files: readonly File[]): Promise<{ path: string; hcl: string }[]> {
  return Promise.all(files.map(async (file) => ({ path: file.name, hcl: await file.text() })));
}

/** Returns the job that is already running, if that is why another wasn't started. */
function runningJob(error: unknown): string | undefined {
  const id = error instanceof ApiFailure && error.status === 409 ? error.body["job_id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function Sources({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor="sources" className="font-medium">
        Your code (optional)
      </label>
      <input
        id="sources"
        type="file"
        multiple
        accept=".tf,.tofu"
        aria-describedby="sources-hint"
        onChange={({ target }) => onChoose([...(target.files ?? [])])}
        className="file:bg-surface file:border-strong-line file:text-ink text-muted file:mr-3 file:h-8 file:rounded-lg file:border file:border-solid file:px-3 file:font-medium"
      />
      <p id="sources-hint" className="text-muted text-xs">
        With your .tf files, the fix is a diff. Without them, it is an example block.
      </p>
    </div>
  );
}

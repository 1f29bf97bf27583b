import { useState } from "react";

import type { Body } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { useAct, useOrgId } from "../../api/hooks.ts";
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
  ["auto", "The narrowest change"],
  ["normalize", "Write the value as the provider gives it back"],
  ["ignore_changes", "Ignore changes of it"],
  ["upgrade_provider", "Upgrade the provider"],
] as const;
type Strategy = (typeof STRATEGIES)[number][0];
const CHANGED = [
  "GET /orgs/{id}/plan-noise/{fingerprint}",
  "GET /orgs/{id}/llm-jobs",
  "GET /orgs/{id}/llm-usage",
] as const;

/** Has a fix made, waits for it, and shows it; the last one to begin with. */
export function FixNoise({ noise }: { noise: PlanNoise }) {
  const start = useAct("POST /plan-noise/{fingerprint}/fix", CHANGED);
  const may = useMay("member");
  const running = runningJob(start.error);
  const jobId = start.data?.job_id ?? running ?? noise.fix_job_id;
  const job = useJob(jobId ?? "");
  return (
    <>
      {may && (
        <Card title="Have it fixed">
          <div className="flex flex-col gap-4">
            <Wish
              isBusy={start.isPending || isUnderWay(job.data)}
              onWish={(body) => start.mutate({ params: { fingerprint: noise.fingerprint }, body })}
            />
            {start.error && running === undefined && <Denied error={start.error} />}
          </div>
        </Card>
      )}
      {jobId !== undefined && <Made job={job} />}
    </>
  );
}

/** The fix as it is made; nothing where it was forgotten, as jobs are after 30 days. */
function Made({ job }: { job: ReturnType<typeof useJob> }) {
  if (job.error?.status === 404) return undefined;
  return <Read read={job}>{(job) => <Outcome job={job} />}</Read>;
}

function isUnderWay(job: Job | undefined): boolean {
  return job?.status === "queued" || job?.status === "running";
}

interface WishProps {
  isBusy: boolean;
  onWish: (wish: Body<"POST /plan-noise/{fingerprint}/fix">) => void;
}

/** How it is to be fixed, and of which code. */
function Wish({ isBusy, onWish }: WishProps) {
  const orgId = useOrgId();
  const [strategy, setStrategy] = useState<Strategy>("auto");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isUnread, setUnread] = useState(false);
  const submit = async (): Promise<void> => {
    // Browsers read no file that was changed after it was chosen.
    const source = await sourcesOf(files).catch(() => undefined);
    setUnread(source === undefined);
    if (!source) return;
    onWish({ org_id: orgId, strategy, ...(source.length > 0 && { source }) });
  };
  return (
    <>
      <Select
        label="How"
        value={strategy}
        options={STRATEGIES}
        onChange={(value) => setStrategy(STRATEGIES.find(([name]) => name === value)?.[0] ?? "auto")}
      />
      <Sources onChoose={setFiles} />
      {isUnread && (
        <Notice tone="critical" title="Your code can’t be read">
          <p>A file was changed or moved since then: choose it again.</p>
        </Notice>
      )}
      <Button kind="primary" busy={isBusy} onClick={() => void submit()} className="self-start">
        Make a fix
      </Button>
    </>
  );
}

function sourcesOf(files: readonly File[]): Promise<{ path: string; hcl: string }[]> {
  return Promise.all(files.map(async (file) => ({ path: file.name, hcl: await file.text() })));
}

/** The job that is at it already, where that is why another wasn't begun. */
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
        With the .tf files the fix is a diff of them; without, it is an example block.
      </p>
    </div>
  );
}

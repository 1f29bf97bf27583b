import { useParams } from "@tanstack/react-router";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import type { PlanNoise } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { countText, percentText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { Day, Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { ValueChange } from "../../ui/value-change.tsx";
import { lastSearch } from "../last-search.ts";
import { inWords } from "../words.ts";
import { FixNoise } from "./fix-noise.tsx";
import { Mute } from "./mute.tsx";
import { noiseSearch } from "./search.ts";
import { StatusBadge } from "./status.tsx";

const CHANGED = ["GET /orgs/{id}/plan-noise", "GET /orgs/{id}/plan-noise/{fingerprint}"] as const;

/** Shows one kind of noise: an example, where it occurs, and its fix. */
export function NoiseKindPage() {
  const orgId = useOrgId();
  const { fingerprint } = useParams({ from: "/orgs/$orgId/noise/$fingerprint" });
  const noise = useRead("GET /orgs/{id}/plan-noise/{fingerprint}", { params: { fingerprint } });
  const may = useMay("admin");
  return (
    <Page
      title={noise.data?.title ?? "Noise"}
      back={
        <BackLink
          to="/orgs/$orgId/noise"
          params={{ orgId }}
          search={noiseSearch(lastSearch(`/orgs/${orgId}/noise`))}
        >
          Noise
        </BackLink>
      }
      {...(noise.data && may && { actions: <Muting noise={noise.data} /> })}
    >
      <Read read={noise}>
        {(noise) => (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex min-w-0 flex-col gap-4">
              <Card title="Example">
                <ValueChange change={changeOf(noise)} />
              </Card>
              <FixNoise noise={noise} />
            </div>
            <div className="flex min-w-0 flex-col gap-4">
              <About noise={noise} />
              <Places projects={noise.projects} />
            </div>
          </div>
        )}
      </Read>
    </Page>
  );
}

function changeOf({ path_pattern: path, sample }: PlanNoise) {
  return { path: [path], ...sample, before_sensitive: false, after_sensitive: false, unknown: false };
}

function Muting({ noise }: { noise: PlanNoise }) {
  const [isOpen, setOpen] = useState(false);
  const change = useAct("PATCH /orgs/{id}/plan-noise/{fingerprint}", CHANGED);
  if (noise.status === "fixed") return undefined;
  const unmute = (): void =>
    change.mutate(
      { params: { fingerprint: noise.fingerprint }, body: { status: "active" } },
      { onSuccess: () => say(`Unmuted noise in ${noise.path_pattern}`) },
    );
  return (
    <>
      {noise.status === "muted" ? (
        <Button busy={change.isPending} onClick={unmute}>
          Unmute
        </Button>
      ) : (
        <Button onClick={() => setOpen(true)}>Mute</Button>
      )}
      {change.error && <Failure error={change.error} />}
      {isOpen && <Mute noise={noise} onClose={() => setOpen(false)} />}
    </>
  );
}

function About({ noise }: { noise: PlanNoise }) {
  const { muted_until: until, muted_reason: reason } = noise;
  return (
    <Card title="About">
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={noise.status} />],
          ...(noise.status === "muted"
            ? [["Muted until", until ? <Day key="until" at={until} /> : "No end date"] as const]
            : []),
          ...(reason === undefined ? [] : [["Reason", reason] as const]),
          ["Class", inWords(noise.class)],
          ["Type", noise.resource_type],
          ...(noise.provider_name === "" ? [] : [["Provider", noise.provider_name] as const]),
          ["Confidence", percentText(noise.confidence * 100)],
          ["Plans", countText(noise.occurrences)],
          ["First seen", <Time key="first" at={noise.first_seen_at} />],
          ["Last seen", <Time key="last" at={noise.last_seen_at} />],
          [
            "Fingerprint",
            <code key="fingerprint" className="font-mono text-xs break-all">
              {noise.fingerprint}
            </code>,
          ],
        ]}
      />
    </Card>
  );
}

function Places({ projects }: Pick<PlanNoise, "projects">) {
  return (
    <Card title="Where it occurs">
      {projects.length === 0 ? (
        <p className="text-muted">In plans without a repository.</p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {projects.map((project) => (
            <li key={project} className="break-all">
              {project}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

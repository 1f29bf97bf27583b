import { useState, type FormEvent } from "react";

import { useAct } from "../../api/act.ts";
import { useRead } from "../../api/hooks.ts";
import type { Organization, Settings } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Select, TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Failure, Read } from "../../ui/states.tsx";
import { Day } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { DeleteOrganization } from "./delete-organization.tsx";

const PROFILES = [
  ["standard", "Standard"],
  ["lenient", "Lenient"],
] as const;
const COMMENTS = [
  ["none", "At any risk"],
  ["low", "At low risk or above"],
  ["medium", "At medium risk or above"],
  ["high", "At high risk or above"],
  ["critical", "At critical risk only"],
] as const;

const DECISIONS = [
  ["none", "Nothing"],
  ["acknowledge", "Acknowledge drift"],
  ["ignore", "Acknowledge and ignore"],
] as const;

/** Shows the organization's name, and how plans and drift are judged and explained. */
export function GeneralPage() {
  const may = useMay("admin");
  const mayDelete = useMay("owner", "person");
  const organization = useRead("GET /orgs/{id}", {});
  const settings = useRead("GET /orgs/{id}/settings", {});
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Organization">
        <Read read={organization}>
          {(known) => (
            <div className="flex flex-col gap-4">
              {may && <NameForm organization={known} />}
              <About organization={known} isNamed={!may} />
              {mayDelete && <DeleteOrganization name={known.name} />}
            </div>
          )}
        </Read>
      </Card>
      <Card title="Plans and drift">
        <Read read={settings}>
          {(known) => (may ? <SettingsForm settings={known} /> : <Chosen settings={known} />)}
        </Read>
      </Card>
    </div>
  );
}

function About({ organization, isNamed }: { organization: Organization; isNamed: boolean }) {
  const { id, name, created_at: at } = organization;
  return (
    <Facts
      facts={[
        ...(isNamed ? [["Name", name] as const] : []),
        [
          "Id",
          <code key="id" className="font-mono text-xs break-all">
            {id}
          </code>,
        ],
        ["Created", <Day key="made" at={at} />],
      ]}
    />
  );
}

function NameForm({ organization }: { organization: Organization }) {
  const rename = useAct("PATCH /orgs/{id}", ["GET /orgs/{id}", "GET /orgs"]);
  const [typed, setTyped] = useState<string>();
  const name = typed ?? organization.name;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate(
      { body: { name } },
      {
        onSuccess: () => {
          setTyped(undefined);
          say("Name saved");
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Name"
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button kind="primary" type="submit" busy={rename.isPending} className="self-start">
        Save name
      </Button>
      {rename.error && <Failure error={rename.error} />}
    </form>
  );
}

function SettingsForm({ settings }: { settings: Settings }) {
  const save = useAct("PATCH /orgs/{id}/settings", ["GET /orgs/{id}/settings"]);
  const [changed, setChanged] = useState<Partial<Settings>>({});
  const chosen = { ...settings, ...changed };
  const change = (to: Partial<Settings>): void => setChanged({ ...changed, ...to });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(
      { body: changed },
      {
        onSuccess: () => {
          setChanged({});
          say("Settings saved");
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Select
        label="Risk profile"
        value={chosen.risk_profile}
        options={PROFILES}
        onChange={(profile) => change({ risk_profile: profile })}
        hint="Standard rates internet exposure, admin rights, weakened protection and mass deletion high or critical. Lenient caps them at medium."
      />
      <Select
        label="Comment on merge and pull requests"
        value={chosen.comment_min_risk}
        options={COMMENTS}
        onChange={(risk) => change({ comment_min_risk: risk })}
      />
      <Select
        label="Comments may decide"
        value={chosen.comment_decisions}
        options={DECISIONS}
        onChange={(decisions) => change({ comment_decisions: decisions })}
        hint="Decisions that /leeway commands may make about drift and noise of their repository. Anyone who can push there can run them."
      />
      <Check
        label="Summarize new drift automatically; each summary counts against the model quota"
        checked={chosen.drift_narratives}
        onChange={(narratives) => change({ drift_narratives: narratives })}
      />
      <Button
        kind="primary"
        type="submit"
        busy={save.isPending}
        disabled={Object.keys(changed).length === 0 && !save.isPending}
        className="self-start"
      >
        Save settings
      </Button>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}

/** Shows the settings to people who may not change them. */
function Chosen({ settings }: { settings: Settings }) {
  return (
    <Facts
      facts={[
        ["Risk profile", textOf(PROFILES, settings.risk_profile)],
        ["Comments", textOf(COMMENTS, settings.comment_min_risk)],
        ["Comments may decide", textOf(DECISIONS, settings.comment_decisions)],
        ["Drift summaries", settings.drift_narratives ? "Automatic" : "On request"],
      ]}
    />
  );
}

function textOf(options: readonly (readonly [value: string, text: string])[], chosen: string) {
  return options.find(([value]) => value === chosen)?.[1];
}

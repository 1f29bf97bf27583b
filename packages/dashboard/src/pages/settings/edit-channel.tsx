import { useState } from "react";

import type { Body } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { SecretOnce } from "../../ui/copy.tsx";
import { Dialog, FormDialog } from "../../ui/dialog.tsx";
import { Check, Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { EVENTS } from "./channel-words.ts";
import type { Channel } from "./channels.tsx";

type NewChannel = Body<"POST /orgs/{id}/notification-channels">;

const REFRESHED = ["GET /orgs/{id}/notification-channels"] as const;
const KINDS = [
  ["webhook", "Webhook of your own"],
  ["slack", "Slack"],
  ["teams", "Microsoft Teams"],
  ["email", "E-mail"],
] as const;
const RISKS = [
  ["none", "Whatever the risk"],
  ["low", "From low"],
  ["medium", "From medium"],
  ["high", "From high"],
  ["critical", "Critical alone"],
] as const;
const DIGESTS = [
  ["none", "One by one"],
  ["hourly", "Together, every hour"],
  ["daily", "Together, every day"],
] as const;

const FRESH: NewChannel = {
  kind: "webhook",
  name: "",
  events: ["drift.detected", "scan.failed"],
  target: {},
  min_risk: "none",
  digest: "none",
};

/** Makes a channel, or changes one; a signing secret that it got is shown this once. */
export function EditChannel({ channel: known, onClose }: { channel?: Channel; onClose: () => void }) {
  const { save, secret, isBusy, error } = useSave(known, onClose);
  const [channel, setChannel] = useState<NewChannel>(known ? { ...known, target: {} } : FRESH);
  const [target, setTarget] = useState(known?.target.to?.join(", ") ?? "");
  if (secret !== undefined) {
    return (
      <Dialog
        title={known ? "The channel is changed" : "The channel is made"}
        isHeld
        onClose={onClose}
        actions={<Button onClick={onClose}>Done</Button>}
      >
        <SecretOnce secret={secret} what="the signing secret" />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={known ? `Edit ${known.name}` : "New channel"}
      deed={known ? "Save" : "Make the channel"}
      busy={isBusy}
      error={error}
      disabled={channel.events.length === 0}
      onSubmit={() => save(channel, target)}
      onClose={onClose}
    >
      {!known && (
        <Select
          label="Where to"
          value={channel.kind}
          options={KINDS}
          onChange={(kind) => setChannel({ ...channel, kind })}
        />
      )}
      <TextField
        label="Name"
        required
        maxLength={80}
        placeholder="platform-alerts"
        value={channel.name}
        onChange={({ target }) => setChannel({ ...channel, name: target.value })}
      />
      <TargetField kind={channel.kind} isKnown={known !== undefined} value={target} onType={setTarget} />
      <WhatToTell channel={channel} onChange={setChannel} />
    </FormDialog>
  );
}

/** Saves what was chosen. An address that isn't typed again stays. */
function useSave(known: Channel | undefined, onClose: () => void) {
  const make = useAct("POST /orgs/{id}/notification-channels", REFRESHED);
  const change = useAct("PATCH /orgs/{id}/notification-channels/{channel_id}", REFRESHED);
  const onSuccess = ({ name, secret }: { name: string; secret?: string }): void => {
    say(`${name} is ${known ? "changed" : "made"}`);
    if (secret === undefined) onClose();
  };
  const save = ({ kind, name, events, min_risk, digest }: NewChannel, typed: string): void => {
    const body = { name, events, ...(min_risk && { min_risk }), ...(digest && { digest }) };
    const target = targetOf(kind, typed);
    if (!known) make.mutate({ body: { ...body, kind, target } }, { onSuccess });
    else {
      const moved = typed.trim() === "" ? {} : { target };
      change.mutate({ params: { channel_id: known.id }, body: { ...body, ...moved } }, { onSuccess });
    }
  };
  return {
    save,
    secret: make.data?.secret ?? change.data?.secret,
    isBusy: make.isPending || change.isPending,
    error: make.error ?? change.error,
  };
}

function targetOf(kind: NewChannel["kind"], typed: string): NewChannel["target"] {
  return kind === "email" ? { to: typed.split(/[\s,;]+/).filter(Boolean) } : { url: typed.trim() };
}

interface TargetProps {
  kind: NewChannel["kind"];
  /** Whether there is one already. */
  isKnown: boolean;
  value: string;
  onType: (value: string) => void;
}

function TargetField({ kind, isKnown, value, onType }: TargetProps) {
  const isMail = kind === "email";
  const secret = isKnown
    ? "Left empty, it stays as it is: it isn’t shown, since it may hold a secret."
    : "It isn’t shown again: it may hold a secret.";
  return (
    <TextField
      label={isMail ? "Addresses" : "Address"}
      required={isMail || !isKnown}
      placeholder={isMail ? "team@example.com" : "https://…"}
      hint={isMail ? "Several are separated by commas." : secret}
      value={value}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

function WhatToTell({ channel, onChange }: { channel: NewChannel; onChange: (channel: NewChannel) => void }) {
  const { events } = channel;
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">Tell of</legend>
        {EVENTS.map(([event, text]) => (
          <Check
            key={event}
            label={text}
            checked={events.includes(event)}
            onChange={(checked) => {
              const others = events.filter((one) => one !== event);
              onChange({ ...channel, events: checked ? [...others, event] : others });
            }}
          />
        ))}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <Select
          label="Drift of which risk"
          value={channel.min_risk ?? "none"}
          options={RISKS}
          onChange={(risk) => onChange({ ...channel, min_risk: risk })}
        />
        <Select
          label="How"
          value={channel.digest ?? "none"}
          options={DIGESTS}
          onChange={(digest) => onChange({ ...channel, digest })}
        />
      </div>
    </>
  );
}

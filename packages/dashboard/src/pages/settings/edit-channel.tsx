import { useState } from "react";

import type { Body } from "../../api/client.ts";
import { CHANNEL_KINDS } from "../../api/later-sets.gen.ts";
import { useAct } from "../../api/act.ts";
import { useRead } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { SecretOnce } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Check, Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { entriesOf } from "../entries-of.ts";
import { EVENTS } from "./channel-words.ts";
import type { Channel } from "./channel.ts";

type NewChannel = Body<"POST /orgs/{id}/notification-channels">;

const REFRESHED = ["GET /orgs/{id}/notification-channels"] as const;
const KINDS = entriesOf(CHANNEL_KINDS).map(([kind, { title }]) => [kind, title] as const);
const RISKS = [
  ["none", "Any risk"],
  ["low", "Low or above"],
  ["medium", "Medium or above"],
  ["high", "High or above"],
  ["critical", "Critical only"],
] as const;
const DIGESTS = entriesOf<NonNullable<NewChannel["digest"]>, string>({
  none: "Immediately",
  hourly: "Hourly digest",
  daily: "Daily digest",
});

const FRESH: NewChannel = {
  kind: "webhook",
  name: "",
  events: ["drift.detected", "scan.failed"],
  target: {},
  min_risk: "none",
  digest: "none",
};
const ALL_DRIFT = ["", "All drift"] as const;

/** Creates or edits a channel; shows a new signing secret once. */
export function EditChannel({ channel: known, onClose }: { channel?: Channel; onClose: () => void }) {
  const { save, secret, isBusy, error } = useSave(known, onClose);
  const [channel, setChannel] = useState<NewChannel>(known ? { ...known, target: {} } : FRESH);
  const [target, setTarget] = useState(known?.target.to?.join(", ") ?? "");
  if (secret !== undefined) {
    return (
      <Dialog
        title={known ? "Channel saved" : "Channel created"}
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
      confirmLabel={known ? "Save" : "Create channel"}
      busy={isBusy}
      error={error}
      disabled={channel.events.length === 0}
      onSubmit={() => save(channel, target)}
      onClose={onClose}
    >
      {!known && (
        <Select
          label="Send to"
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
      <EventFields channel={channel} onChange={setChannel} />
    </FormDialog>
  );
}

/** Saves the channel. A target that isn't typed again stays the same. */
function useSave(known: Channel | undefined, onClose: () => void) {
  const make = useAct("POST /orgs/{id}/notification-channels", REFRESHED);
  const change = useAct("PATCH /orgs/{id}/notification-channels/{channel_id}", REFRESHED);
  const onSuccess = ({ name, secret }: { name: string; secret?: string }): void => {
    say(`${known ? "Saved" : "Created"} ${name}`);
    if (secret === undefined) onClose();
  };
  const save = ({ kind, name, events, min_risk, digest, view_id = "" }: NewChannel, typed: string): void => {
    const body = { name, events, ...(min_risk && { min_risk }), ...(digest && { digest }) };
    const target = targetOf(kind, typed);
    if (!known) make.mutate({ body: { ...body, kind, target, ...(view_id && { view_id }) } }, { onSuccess });
    else {
      const moved = { view_id: view_id || null, ...(typed.trim() !== "" && { target }) };
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
  switch (CHANNEL_KINDS[kind].target) {
    case "to":
      return { to: typed.split(/[\s,;]+/).filter(Boolean) };
    case "url":
      return { url: typed.trim() };
  }
}

const MAIL_HINT =
  "Separate addresses with commas. Each must confirm by a link first, unless it is a member’s verified address.";

interface TargetProps {
  kind: NewChannel["kind"];
  /** Whether the channel already exists. */
  isKnown: boolean;
  value: string;
  onType: (value: string) => void;
}

function TargetField({ kind, isKnown, value, onType }: TargetProps) {
  const isMail = CHANNEL_KINDS[kind].target === "to";
  const secret = isKnown
    ? "It may contain a secret, so it isn’t shown. Leave empty to keep it."
    : "It may contain a secret, so it isn’t shown again.";
  return (
    <TextField
      label={isMail ? "Addresses" : "Address"}
      required={isMail || !isKnown}
      placeholder={isMail ? "team@example.com" : "https://…"}
      hint={isMail ? MAIL_HINT : secret}
      value={value}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

function EventFields({
  channel,
  onChange,
}: {
  channel: NewChannel;
  onChange: (channel: NewChannel) => void;
}) {
  const { events } = channel;
  const { data } = useRead("GET /orgs/{id}/views", { query: { page: "drift" } });
  const views = (data?.data ?? []).filter(({ shared }) => shared);
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">Events</legend>
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
      <Select
        label="Drift to report"
        hint="Shared views of the drift page can be chosen here."
        value={channel.view_id ?? ""}
        options={[ALL_DRIFT, ...views.map(({ id, name }) => [id, name] as const)]}
        onChange={(id) => onChange({ ...channel, view_id: id })}
      />
      <div className="grid grid-cols-2 gap-3">
        <Select
          label="Minimum drift risk"
          value={channel.min_risk ?? "none"}
          options={RISKS}
          onChange={(risk) => onChange({ ...channel, min_risk: risk })}
        />
        <Select
          label="Delivery"
          value={channel.digest ?? "none"}
          options={DIGESTS}
          onChange={(digest) => onChange({ ...channel, digest })}
        />
      </div>
    </>
  );
}

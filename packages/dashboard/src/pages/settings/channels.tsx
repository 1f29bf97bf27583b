import { BellRing, Plus } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRead, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { countOf } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { say } from "../../ui/toast.tsx";
import { inWords } from "../words.ts";
import type { Channel } from "./channel.ts";
import { ChannelMessages } from "./channel-messages.tsx";
import { eventText } from "./channel-words.ts";
import { EditChannel } from "./edit-channel.tsx";
import { Recipients } from "./recipients.tsx";

type Open = { what: "make" } | { what: Opened; channel: Channel };
type Opened = "messages" | "edit" | "delete";
const FRESH_MS = 15_000;
const REFRESHED = ["GET /orgs/{id}/notification-channels"] as const;

const COLUMNS: readonly Column<Channel>[] = [
  { title: "Channel", width: "minmax(11rem, 1.5fr)", cell: (channel) => <Name channel={channel} /> },
  { title: "Events", width: "minmax(9rem, 1.5fr)", cell: (channel) => <Events channel={channel} /> },
  { title: "Status", width: "minmax(8rem, 1fr)", cell: (channel) => <State channel={channel} /> },
];

/** Lists the notification channels and their events. */
export function ChannelsPage() {
  const may = useMay("admin");
  const channels = useRows("GET /orgs/{id}/notification-channels", { when: may, everyMs: () => FRESH_MS });
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  if (!may) return <Empty title="Owners and admins only">Ask one of them to set up notifications.</Empty>;
  const actions: Column<Channel> = {
    title: "Actions",
    width: "28rem",
    end: true,
    cell: (channel) => <Actions channel={channel} onOpen={(what) => setOpen({ what, channel })} />,
  };
  return (
    <>
      <Card
        title="Notifications"
        padded={false}
        actions={
          <Button kind="primary" onClick={() => setOpen({ what: "make" })}>
            <Plus aria-hidden="true" className="size-4" /> New channel
          </Button>
        }
      >
        <Table
          label="Notification channels"
          columns={[...COLUMNS, actions]}
          rows={channels}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<BellRing className="size-5" />} title="No notifications yet">
              Send drift, failed scans and expiring tokens to a webhook, Slack, Teams or e-mail.
            </Empty>
          }
        />
      </Card>
      {open?.what === "make" && <EditChannel onClose={close} />}
      {open?.what === "edit" && <EditChannel channel={open.channel} onClose={close} />}
      {open?.what === "messages" && <ChannelMessages channel={open.channel} onClose={close} />}
      {open?.what === "delete" && <Delete channel={open.channel} onClose={close} />}
    </>
  );
}

interface ActionsProps {
  channel: Channel;
  onOpen: (what: Opened) => void;
}

function Actions({ channel: { id, name, enabled }, onOpen }: ActionsProps) {
  const params = { channel_id: id };
  const test = useAct("POST /orgs/{id}/notification-channels/{channel_id}/test", REFRESHED);
  const change = useAct("PATCH /orgs/{id}/notification-channels/{channel_id}", REFRESHED);
  const error = test.error ?? change.error;
  const toggled = { params, body: { enabled: !enabled } };
  const toggle = enabled ? "Pause" : "Resume";
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {error && <Failure error={error} />}
      <Button
        aria-label={`Send a test to ${name}`}
        busy={test.isPending}
        onClick={() => test.mutate({ params }, { onSuccess: () => say(`A test is on its way to ${name}`) })}
      >
        Send a test
      </Button>
      <Button aria-label={`${toggle} ${name}`} busy={change.isPending} onClick={() => change.mutate(toggled)}>
        {toggle}
      </Button>
      <Button aria-label={`Messages to ${name}`} onClick={() => onOpen("messages")}>
        Messages
      </Button>
      <Button aria-label={`Edit ${name}`} onClick={() => onOpen("edit")}>
        Edit
      </Button>
      <Button aria-label={`Delete ${name}`} onClick={() => onOpen("delete")}>
        Delete
      </Button>
    </span>
  );
}

function Name({ channel: { id, name, kind, target, recipients } }: { channel: Channel }) {
  return (
    <div className="min-w-0">
      <div className="truncate font-medium">{name}</div>
      {recipients ? (
        <Recipients channelId={id} recipients={recipients} />
      ) : (
        <div className="text-muted truncate text-xs">
          {inWords(kind)}: {target.host}
        </div>
      )}
    </div>
  );
}

function Events({ channel: { events, min_risk: risk, digest, view_id: viewId } }: { channel: Channel }) {
  const { data } = useRead("GET /orgs/{id}/views", { query: { page: "drift" }, when: viewId !== undefined });
  const view = data?.data.find(({ id }) => id === viewId);
  const names = events.map(eventText);
  const [first, ...more] = names;
  return (
    <div className="min-w-0" title={names.join(", ")}>
      <div className="truncate">
        {first}
        {more.length > 0 && ` and ${countOf(more.length, "more", "more")}`}
      </div>
      <div className="text-muted truncate text-xs">
        {riskText(risk)}
        {digest !== "none" && `, ${digest}`}
        {view && `, view ${view.name}`}
      </div>
    </div>
  );
}

function riskText(least: Channel["min_risk"]): string {
  if (least === "none") return "any risk";
  return least === "critical" ? "critical risk only" : `${least} risk or above`;
}

function State({ channel }: { channel: Channel }) {
  const { tone, text, reason } = stateOf(channel);
  return (
    <div className="min-w-0">
      <Badge tone={tone}>{text}</Badge>
      {reason !== undefined && <p className="text-muted mt-1 text-xs wrap-anywhere">{reason}</p>}
    </div>
  );
}

/** A channel fails from its first failed attempt on, and is disabled after many messages that failed for good. */
function stateOf({
  enabled,
  disabled_reason: disabled,
  consecutive_failures: failures,
  last_failure: failed,
}: Channel): { tone: Tone; text: string; reason?: string | undefined } {
  if (!enabled)
    return { tone: disabled === undefined ? "neutral" : "critical", text: "Paused", reason: disabled };
  if (failures === 0 && !failed) return { tone: "good", text: "On" };
  const text = failures > 0 ? `${countOf(failures, "failure")} in a row` : "Failing";
  return { tone: "critical", text, reason: failed?.reason };
}

function Delete({ channel: { id, name }, onClose }: { channel: Channel; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/notification-channels/{channel_id}", REFRESHED);
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirmLabel="Delete"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { channel_id: id } });
        say(`Deleted ${name}`);
      }}
    >
      Messages that are still waiting aren’t sent.
    </Confirm>
  );
}

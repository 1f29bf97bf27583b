import { BellRing, Plus } from "lucide-react";
import { useState } from "react";

import type { Row } from "../../api/client.ts";
import { useAct, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { countOf } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { say } from "../../ui/toast.tsx";
import { inWords } from "../words.ts";
import { ChannelMessages } from "./channel-messages.tsx";
import { eventText } from "./channel-words.ts";
import { EditChannel } from "./edit-channel.tsx";

export type Channel = Row<"GET /orgs/{id}/notification-channels">;
type Open = { what: "make" } | { what: Opened; channel: Channel };
type Opened = "messages" | "edit" | "delete";
const FRESH_MS = 15_000;
const REFRESHED = ["GET /orgs/{id}/notification-channels"] as const;

const COLUMNS: readonly Column<Channel>[] = [
  { title: "Channel", width: "minmax(11rem, 1.5fr)", cell: (channel) => <Name channel={channel} /> },
  { title: "Told of", width: "minmax(9rem, 1.5fr)", cell: (channel) => <Events channel={channel} /> },
  { title: "State", width: "minmax(8rem, 1fr)", cell: (channel) => <State channel={channel} /> },
];

/** Who is told of what. */
export function ChannelsPage() {
  const may = useMay("admin");
  const channels = useRows("GET /orgs/{id}/notification-channels", { when: may, everyMs: () => FRESH_MS });
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  if (!may) return <Empty title="For admins and owners">Where news go is told to them only.</Empty>;
  const actions: Column<Channel> = {
    title: "What to do",
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
            <Empty icon={<BellRing className="size-5" />} title="Nobody is told of anything yet">
              News go to a webhook, Slack, Teams or e-mail: drift, failed scans, tokens that end.
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
      <Button aria-label={`Messages of ${name}`} onClick={() => onOpen("messages")}>
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

function Name({ channel: { name, kind, target } }: { channel: Channel }) {
  return (
    <div className="min-w-0">
      <div className="truncate font-medium">{name}</div>
      <div className="text-muted truncate text-xs">
        {inWords(kind)}: {target.to?.join(", ") ?? target.host}
      </div>
    </div>
  );
}

function Events({ channel: { events, min_risk: risk, digest } }: { channel: Channel }) {
  const names = events.map(eventText);
  const [first, ...more] = names;
  return (
    <div className="min-w-0" title={names.join(", ")}>
      <div className="truncate">
        {first}
        {more.length > 0 && ` and ${countOf(more.length, "more", "more")}`}
      </div>
      <div className="text-muted truncate text-xs">
        {risk === "none" ? "whatever the risk" : `from ${risk} risk`}
        {digest !== "none" && `, ${digest}`}
      </div>
    </div>
  );
}

function State({ channel }: { channel: Channel }) {
  const { enabled, disabled_reason: reason, consecutive_failures: failures } = channel;
  const isWell = enabled && failures === 0;
  const text = enabled ? "On" : "Paused";
  return (
    <div className="min-w-0">
      <Badge tone={isWell ? "good" : reason === undefined ? "neutral" : "critical"}>
        {enabled && failures > 0 ? `${countOf(failures, "failure")} in a row` : text}
      </Badge>
      {reason !== undefined && <p className="text-muted mt-1 text-xs wrap-anywhere">{reason}</p>}
    </div>
  );
}

function Delete({ channel: { id, name }, onClose }: { channel: Channel; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/notification-channels/{channel_id}", REFRESHED);
  return (
    <Confirm
      title={`Delete ${name}?`}
      deed="Delete"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { channel_id: id } });
        say(`${name} is deleted`);
      }}
    >
      What is on its way to it isn’t sent any more.
    </Confirm>
  );
}

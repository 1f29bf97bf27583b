import type { Row } from "../../api/client.ts";
import { useAct } from "../../api/act.ts";
import { useRows } from "../../api/hooks.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { inWords } from "../words.ts";
import { eventText } from "./channel-words.ts";
import type { Channel } from "./channel.ts";

const LISTING = "GET /orgs/{id}/notification-channels/{channel_id}/deliveries";
type Message = Row<typeof LISTING>;
const FRESH_MS = 3_000;

const TONES: Readonly<Record<Message["status"], Tone>> = {
  pending: "accent",
  delivered: "good",
  failed: "critical",
};

/** Lists a channel's recent messages and their outcomes. */
export function ChannelMessages({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const messages = useRows(LISTING, {
    params: { channel_id: channel.id },
    query: { limit: 20 },
    everyMs: () => FRESH_MS,
  });
  return (
    <Dialog title={`Messages to ${channel.name}`} onClose={onClose}>
      {messages.error && <Failure error={messages.error} onRetry={messages.retry} />}
      {messages.isPending && <Loading />}
      {!messages.isPending && messages.rows.length === 0 && (
        <Empty title="No messages yet">Send a test to see one.</Empty>
      )}
      <ul className="divide-line divide-y">
        {messages.rows.map((message) => (
          <Line key={message.id} channel={channel} message={message} />
        ))}
      </ul>
    </Dialog>
  );
}

function Line({ channel, message }: { channel: Channel; message: Message }) {
  const again = useAct(
    "POST /orgs/{id}/notification-channels/{channel_id}/deliveries/{delivery_id}/redeliver",
    [LISTING],
  );
  const params = { channel_id: channel.id, delivery_id: message.id };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-3">
      <div className="min-w-0 flex-1">
        <div title={message.type} className="font-medium">
          {eventText(message.type)}
        </div>
        <div className="text-muted text-xs wrap-anywhere">
          <Time at={message.created_at} />
          {message.reason === undefined &&
            message.response_status !== undefined &&
            `, HTTP ${message.response_status}`}
          {message.reason !== undefined && `, ${message.reason}`}
        </div>
      </div>
      <Badge tone={TONES[message.status]}>{inWords(message.status)}</Badge>
      {(message.status === "failed" || isTriedAgain(message)) && (
        <Button
          busy={again.isPending}
          onClick={() => again.mutate({ params }, { onSuccess: () => say("Sending the message again") })}
        >
          Send again
        </Button>
      )}
      {again.error && <Failure error={again.error} />}
    </li>
  );
}

/** Returns whether a message is waiting for a retry, which may be hours away. */
function isTriedAgain({ status, attempts }: Message): boolean {
  return status === "pending" && attempts > 0;
}

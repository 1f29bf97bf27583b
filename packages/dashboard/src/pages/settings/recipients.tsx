import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import type { Channel } from "./channel.ts";

type Recipient = NonNullable<Channel["recipients"]>[number];

const STATUS: Readonly<Record<Recipient["status"], string | undefined>> = {
  confirmed: undefined,
  waiting: "hasn’t confirmed yet",
  unsubscribed: "has unsubscribed",
};

/** Lists an e-mail channel's addresses, and marks those that get no mail. */
export function Recipients({ channelId, recipients }: { channelId: string; recipients: Recipient[] }) {
  const ask = useAct("POST /orgs/{id}/notification-channels/{channel_id}/confirmations");
  return (
    <ul className="text-muted text-xs">
      {recipients.map(({ address, status }) => (
        <li key={address} className="wrap-anywhere">
          {address}
          {STATUS[status] !== undefined && ` ${STATUS[status]}`}
          {status === "waiting" && (
            <Button
              aria-label={`Send the link to ${address} again`}
              busy={ask.isPending}
              onClick={() =>
                ask.mutate(
                  { params: { channel_id: channelId }, body: { address } },
                  { onSuccess: () => say(`A link is on its way to ${address}`) },
                )
              }
            >
              Send the link again
            </Button>
          )}
        </li>
      ))}
      {ask.error && <Failure error={ask.error} />}
    </ul>
  );
}

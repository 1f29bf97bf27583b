import { CHANNEL_KINDS, ListChannels, NOTIFICATION_EVENTS } from "@leeway/shared/contracts/webhooks/channels";
import { optional, variable } from "@leeway/shared/platform/config";
import { text, type JsonObject } from "@leeway/shared/values/json";
import { keysOf } from "@leeway/shared/values/keys-of";

import { MIN_RISK } from "../analyze/flags.ts";
import { flag, maybeOneOf, oneOf, usage } from "../arguments.ts";
import { accountId } from "./filters.ts";
import { listing } from "./read.ts";
import type { Remote, RemoteCall } from "./remote.ts";
import { given, send, shown, textFrom } from "./send.ts";
import { viewId } from "./views.ts";

const KINDS = keysOf(CHANNEL_KINDS);
const DIGESTS = ["none", "hourly", "daily"] as const;
const WINDOW = /^(\d\d:\d\d)-(\d\d:\d\d)$/;

export const createSchedule: Remote = {
  command: "schedules create",
  operands: ["ACCOUNT"],
  about: "Scans an account with credentials at regular times. It is named by PROVIDER:EXTERNAL_ID or its id.",
  activity: "creating the schedule",
  flags: {
    "--cron": flag(
      "CRON",
      variable("minute, hour, day, month and day of week, such as '15 6 * * 1-5', or @daily", (raw) => raw),
    ),
    "--timezone": flag("ZONE", optional("time zone, such as Europe/Berlin; UTC without it")),
    "--window": flag("HH:MM-HH:MM", optional("time of day in which scans may start")),
  },
  async run(call) {
    const [named = ""] = call.operands;
    const window = windowOf(call);
    const made = await send(call, "scan-schedules", {
      account_id: await accountId(call, named),
      ...given(call, { cron: "--cron", timezone: "--timezone" }),
      ...(window && { window }),
    });
    const next = text(made, "next_run_at");
    const said = `scans of ${named} are scheduled${next === undefined ? "" : `, next at ${next}`}`;
    return shown(call, made, { text: said, page: "scans/schedules" });
  },
};

export const channels = listing({
  command: "channels",
  about: "Lists the channels of notifications.",
  what: "channels",
  place: "notification-channels",
  input: ListChannels.input,
  columns: {
    ID: "id",
    NAME: "name",
    KIND: "kind",
    EVENTS: "events",
    ENABLED: "enabled",
    DELIVERED: "last_delivered_at",
  },
  page: "settings/channels",
});

export const createChannel: Remote = {
  command: "channels create",
  operands: ["NAME"],
  about: "Sends notifications to a webhook, Slack, Teams or e-mail addresses.",
  activity: "creating the channel",
  flags: {
    "--kind": flag(
      "KIND",
      variable(`kind of receiver: ${KINDS.join(", ")}`, (raw) => oneOf(KINDS, raw)),
    ),
    "--event": flag(
      "EVENT",
      variable(`event to send; repeatable: ${NOTIFICATION_EVENTS.join(", ")}`, (raw) =>
        oneOf(NOTIFICATION_EVENTS, raw),
      ),
    ),
    // Anyone who knows such an address can post to it, and other users can see the arguments of a program.
    "--url-file": flag("FILE", optional("file with the receiver's address; - is standard input")),
    "--to": flag("ADDRESS", optional("e-mail address; repeatable")),
    "--min-risk": flag("LEVEL", maybeOneOf("lowest risk to notify about", MIN_RISK)),
    "--view": flag("VIEW", optional("name or id of a shared view; only the drift it selects is reported")),
    "--digest": flag("PERIOD", maybeOneOf("how often events are collected into one message", DIGESTS)),
  },
  async run(call) {
    const [name = ""] = call.operands;
    const { "--view": view } = call.values;
    const made = await send(call, "notification-channels", {
      name,
      events: [...call.all("--event")],
      target: await targetOf(call),
      ...(view !== undefined && { view_id: await viewId(call, view) }),
      ...given(call, { kind: "--kind", min_risk: "--min-risk", digest: "--digest" }),
    });
    const page = "settings/channels";
    const secret = text(made, "secret");
    if (secret === undefined) return shown(call, made, { text: `added ${name}`, page });
    return shown(call, made, { text: secret, page, note: "the signing secret is shown only now" });
  },
};

function windowOf({ command, values }: RemoteCall): JsonObject | undefined {
  const { "--window": given, "--timezone": timezone = "UTC" } = values;
  if (given === undefined) return undefined;
  const [, start, end] = WINDOW.exec(given) ?? [];
  if (start === undefined || end === undefined)
    throw usage(command, "--window must be two times, such as 22:00-06:00");
  return { start, end, timezone };
}

/** Returns the receiver: an address from a file, or addresses of people. */
async function targetOf(call: RemoteCall): Promise<JsonObject> {
  const { "--url-file": file, "--kind": kind = "" } = call.values;
  const to = [...call.all("--to")];
  const isMail = kind === "email";
  if (isMail === (file !== undefined) || isMail === (to.length === 0))
    throw usage(call.command, `--kind ${kind} needs ${isMail ? "--to" : "--url-file"}, and nothing else`);
  return file === undefined ? { to } : { url: (await textFrom(call, file)).trim() };
}

import type { Comments, OwnComment } from "./comments.ts";
import { shortened } from "./shortened.ts";

export interface Put {
  outcome: "created" | "updated" | "unchanged";
  /** URL of the comment; empty if the host doesn't report it. */
  url: string;
}

/**
 * Posts one comment that starts with `marker`, or updates the one that an earlier call posted. Comments of other users
 * are never touched, whatever their text. A body over the host's limit is shortened.
 */
export async function putComment(comments: Comments, marker: string, text: string): Promise<Put> {
  const body = `${marker}\n${shortened(text, comments.longestBody - marker.length - 1)}`;
  const put = await settle(comments, marker, body);
  if (put.outcome !== "created") return put;
  // A concurrent job, or a try whose answer was lost, may have created another one: the oldest stays.
  const [oldest, ...surplus] = await marked(comments, marker);
  for (const { id } of surplus) await comments.remove(id);
  if (oldest && surplus.length > 0) await comments.update(oldest.id, body);
  return { ...put, url: oldest?.url ?? put.url };
}

async function settle(comments: Comments, marker: string, body: string): Promise<Put> {
  const [kept] = await marked(comments, marker);
  if (kept && normal(kept.body) === normal(body)) return { outcome: "unchanged", url: kept.url };
  const updated = kept && (await comments.update(kept.id, body));
  if (updated) return { outcome: "updated", url: updated.url };
  return { outcome: "created", url: (await comments.create(body)).url };
}

async function marked(comments: Comments, marker: string): Promise<OwnComment[]> {
  return (await comments.own()).filter(({ body }) => normal(body).split("\n", 1)[0] === marker);
}

/** Code hosts change line ends and blanks at the end. */
function normal(body: string): string {
  return body.replaceAll("\r\n", "\n").trimEnd();
}

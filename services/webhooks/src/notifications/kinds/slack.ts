import type { JsonObject } from "@leeway/shared/values/json";

import { webAddress, type Text } from "../content.ts";
import { urlKind } from "./url-target.ts";

/** Limits on the number and length of blocks, set by Slack. */
const MAX_TEXTS = 20;
const LONGEST_TEXT = 2_900;
/**
 * Limit on all blocks as JSON. Slack doesn't document its own: about 9,600 characters of text were accepted, 11,300
 * weren't.
 */
const MAX_TOGETHER = 10_000;

/** An incoming webhook of Slack. */
export const slack = urlKind("slack", slackMessage);

/** Escapes `<`, `>` and `&`, which delimit Slack's links, mentions and entities. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * Builds a message for an incoming webhook. Untrusted text is in `plain_text`, where Slack reads no markup. Only the
 * link to Leeway uses markup.
 */
export function slackMessage(texts: readonly Text[]): JsonObject {
  const shown = fitting(texts.slice(0, MAX_TEXTS).map(blocksOf));
  const more = texts.length - shown.length;
  const [first] = texts;
  const title = texts.length === 1 && first ? first.title : `${texts.length} notifications`;
  return {
    text: escapeSlack(title),
    mrkdwn: false,
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [...shown.flat(), ...(more > 0 ? [plain(`and ${more} more`)] : [])],
  };
}

/** Returns the first text and as many more as fit. */
function fitting(texts: JsonObject[][]): JsonObject[][] {
  let length = 0;
  return texts.filter((blocks, index) => {
    length += JSON.stringify(blocks).length;
    return index === 0 || length <= MAX_TOGETHER;
  });
}

function blocksOf({ title, lines, url }: Text): JsonObject[] {
  const all = [title, ...lines].join("\n");
  const link = url === undefined ? undefined : linkOf(url);
  return [plain(all.slice(0, LONGEST_TEXT).toWellFormed()), ...(link === undefined ? [] : [link])];
}

function plain(text: string): JsonObject {
  return { type: "section", text: { type: "plain_text", text, emoji: false } };
}

function linkOf(url: string): JsonObject | undefined {
  const href = webAddress(url);
  if (href === undefined) return undefined;
  const text = `<${escapeSlack(href.replaceAll("|", "%7C"))}|Open in Leeway>`;
  return { type: "context", elements: [{ type: "mrkdwn", text }] };
}

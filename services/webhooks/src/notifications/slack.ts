import type { JsonObject } from "@leeway/shared/json";

import type { Text } from "./content.ts";

/** Slack takes no more blocks, nor longer ones. */
const MOST_TEXTS = 20;
const LONGEST_TEXT = 2_900;
/** Of all blocks as JSON. What Slack takes isn't told: some 9,600 characters of text got through, 11,300 didn't. */
const MOST_TOGETHER = 10_000;

/** What Slack takes for markup: `<`, `>` and `&` begin or end links, mentions and entities. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * A message of an incoming webhook. What others wrote stands in `plain_text`, where Slack reads no markup;
 * only the link to Leeway is marked up.
 */
export function slackMessage(texts: readonly Text[]): JsonObject {
  const shown = fitting(texts.slice(0, MOST_TEXTS).map(blocksOf));
  const more = texts.length - shown.length;
  const [first] = texts;
  const title = texts.length === 1 && first ? first.title : `${texts.length} notifications`;
  return {
    text: escapeSlack(`Leeway: ${title}`),
    mrkdwn: false,
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [...shown.flat(), ...(more > 0 ? [plain(`and ${more} more`)] : [])],
  };
}

/** The first of the texts, and as many more as fit. */
function fitting(texts: JsonObject[][]): JsonObject[][] {
  let length = 0;
  return texts.filter((blocks, index) => {
    length += JSON.stringify(blocks).length;
    return index === 0 || length <= MOST_TOGETHER;
  });
}

function blocksOf({ title, facts, url }: Text): JsonObject[] {
  const lines = [title, ...facts.map(([label, value]) => `${label}: ${value}`)].join("\n");
  const link = url === undefined ? undefined : linkOf(url);
  return [plain(lines.slice(0, LONGEST_TEXT).toWellFormed()), ...(link === undefined ? [] : [link])];
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

/** An http address as it is written in full; undefined for any other. */
export function webAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

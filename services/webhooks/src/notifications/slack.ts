import type { JsonObject } from "@leeway/shared/json";

import type { Text } from "./content.ts";

/** Slack takes no more blocks, nor longer ones. */
const MOST_TEXTS = 20;
const LONGEST_TEXT = 2_900;

/** What Slack takes for markup: `<`, `>` and `&` begin or end links, mentions and entities. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * A message of an incoming webhook. What others wrote stands in `plain_text`, where Slack reads no markup;
 * only the link to Leeway is marked up.
 */
export function slackMessage(texts: readonly Text[]): JsonObject {
  const shown = texts.slice(0, MOST_TEXTS);
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
    blocks: [...shown.flatMap(blocksOf), ...(more > 0 ? [plain(`and ${more} more`)] : [])],
  };
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

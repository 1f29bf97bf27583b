import type { JsonObject } from "@leeway/shared/json";

import type { Text } from "./content.ts";
import { webAddress } from "./slack.ts";

/** Teams refuses messages of more than 28 KB. */
const MOST_BYTES = 24_000;

/**
 * An Adaptive Card for a workflow's address. What others wrote stands in text runs, which hold no markdown
 * (text blocks do), and the card names nobody to be mentioned.
 */
export function teamsMessage(texts: readonly Text[]): JsonObject {
  const shown = fitting(texts.map(blocksOf));
  const more = texts.length - shown.length;
  const body = [...shown.flat(), ...(more > 0 ? [block([run(`and ${more} more`)])] : [])];
  const url = texts.map((text) => text.url).find((url) => url !== undefined);
  const href = url === undefined ? undefined : webAddress(url);
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body,
          ...(href !== undefined && {
            actions: [{ type: "Action.OpenUrl", title: "Open in Leeway", url: href }],
          }),
        },
      },
    ],
  };
}

/** The first of the texts, and as many more as fit. */
function fitting(texts: JsonObject[][]): JsonObject[][] {
  let bytes = 0;
  return texts.filter((blocks, index) => {
    bytes += Buffer.byteLength(JSON.stringify(blocks));
    return index === 0 || bytes <= MOST_BYTES;
  });
}

function blocksOf({ title, facts }: Text): JsonObject[] {
  return [
    block([run(title, { weight: "Bolder", size: "Medium" })]),
    ...facts.map(([label, value]) => block([run(`${label}: `, { isSubtle: true }), run(value)])),
  ];
}

function block(inlines: JsonObject[]): JsonObject {
  return { type: "RichTextBlock", inlines };
}

function run(text: string, style: JsonObject = {}): JsonObject {
  return { type: "TextRun", text, ...style };
}

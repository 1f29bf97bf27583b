import type { JsonObject } from "@leeway/shared/values/json";

import { webAddress, type Text } from "../content.ts";
import { urlKind } from "./url-target.ts";

/** Below 28 KB, the largest message that Teams accepts. */
const MAX_BYTES = 24_000;

/** A workflow of Microsoft Teams. */
export const teams = urlKind("teams", teamsMessage);

/**
 * Builds an Adaptive Card for a workflow's address. Untrusted text is in text runs, which support no Markdown (unlike
 * text blocks). The card contains no mentions.
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

/** Returns the first text and as many more as fit. */
function fitting(texts: JsonObject[][]): JsonObject[][] {
  let bytes = 0;
  return texts.filter((blocks, index) => {
    bytes += Buffer.byteLength(JSON.stringify(blocks));
    return index === 0 || bytes <= MAX_BYTES;
  });
}

function blocksOf({ title, lines }: Text): JsonObject[] {
  return [
    block([run(title, { weight: "Bolder", size: "Medium" })]),
    ...lines.map((line) => block([run(line)])),
  ];
}

function block(inlines: JsonObject[]): JsonObject {
  return { type: "RichTextBlock", inlines };
}

function run(text: string, style: JsonObject = {}): JsonObject {
  return { type: "TextRun", text, ...style };
}

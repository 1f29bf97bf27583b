import { expect, test } from "bun:test";

import { reasonInWords } from "./reason.ts";

test.each([
  [
    "permission_denied: not authorized to perform sqs:GetQueueAttributes",
    "Leeway isn’t permitted to read it: not authorized to perform sqs:GetQueueAttributes",
  ],
  ["not_found: no such queue", "The cloud doesn’t know it any more: no such queue"],
  ["throttled: slow down", "The cloud asks to wait: slow down"],
  ["strange: else", "strange: else"],
  ["no kind at all", "no kind at all"],
])("%s is told as %s", (reason, words) => expect(reasonInWords(reason)).toBe(words));

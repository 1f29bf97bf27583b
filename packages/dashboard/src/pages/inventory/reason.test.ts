import { expect, test } from "bun:test";

import { obstacleInWords, reasonInWords } from "./reason.ts";

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

test.each([
  ["no_credentials: the account has no credentials", "the account has no credentials"],
  [
    "permission_denied: the role can't be assumed",
    "Leeway isn’t permitted to read it: the role can't be assumed",
  ],
  ["something went wrong here", undefined],
])("of %s it is told that %s", (message, words) => expect(obstacleInWords(message)).toBe(words));

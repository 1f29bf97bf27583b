import { expect, test } from "bun:test";

import { obstacleInWords, reasonInWords } from "./reason.ts";

test.each([
  [
    "permission_denied: not authorized to perform sqs:GetQueueAttributes",
    "Leeway isn’t permitted to read it: not authorized to perform sqs:GetQueueAttributes",
  ],
  ["not_found: no such queue", "It no longer exists in the cloud: no such queue"],
  ["throttled: slow down", "The cloud limits the rate of requests: slow down"],
  ["strange: else", "strange: else"],
  ["no kind at all", "no kind at all"],
])("describes %s as %s", (reason, words) => expect(reasonInWords(reason)).toBe(words));

test.each([
  ["no_credentials: the account has no credentials", "the account has no credentials"],
  [
    "permission_denied: the role can't be assumed",
    "Leeway isn’t permitted to read it: the role can't be assumed",
  ],
  ["internal error; include the request id when you report it", undefined],
])("explains %s as %s", (message, words) => expect(obstacleInWords(message)).toBe(words));

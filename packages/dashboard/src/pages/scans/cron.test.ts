import { expect, test } from "bun:test";

import { cronInWords } from "./cron.ts";
import { stepsOf } from "./steps.ts";

test.each([
  ["15 6 * * 1-5", "At 06:15 on weekdays"],
  ["0 3 * * *", "Every day at 03:00"],
  ["@daily", "Every day at 00:00"],
  ["@hourly", "Every hour at :00"],
  ["30 */6 * * *", "Every 6 hours at :30"],
  ["0 4 * * 1,3,5", "At 04:00 on Monday, Wednesday and Friday"],
  ["0 4 * * 7", "At 04:00 on Sunday"],
  ["0 */1 * * *", "Every hour at :00"],
  ["0 */7 * * *", "0 */7 * * *"],
  ["0 */24 * * *", "0 */24 * * *"],
  ["5 * * * 1", "Every hour at :05, on Monday"],
  ["0 0 1 * *", "At 00:00 on day 1 of the month"],
  ["0 4 1 * 1", "0 4 1 * 1"],
  ["*/5 * * * *", "*/5 * * * *"],
  ["0 4 * 6 *", "0 4 * 6 *"],
  ["0 9-17 * * *", "0 9-17 * * *"],
  ["0 4 * * MON", "0 4 * * MON"],
])("%s is %s", (cron, words) => expect(cronInWords(cron)).toBe(words));

test.each([
  ["queued", "discover", ["ahead", "ahead", "ahead"]],
  ["running", "match", ["done", "now", "ahead"]],
  ["failed", "drift", ["done", "done", "stopped"]],
  ["canceled", "discover", ["stopped", "ahead", "ahead"]],
  ["partial", "drift", ["done", "done", "done"]],
  ["succeeded", "discover", ["done", "done", "done"]],
] as const)("shows the steps of a scan that is %s in %s", (status, phase, states) => {
  expect(stepsOf({ status, phase }).map(({ state }) => state)).toEqual([...states]);
});

import { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";
import { expect, test } from "bun:test";

import { reasonText, rejectText } from "../../packages/dashboard/src/pages/webhooks/reasons.ts";
import { REASONS } from "../../services/webhooks/src/events/reading.ts";

test.each(Object.keys(REASONS))("the dashboard has words for an event that is ignored as %s", (reason) => {
  expect(reasonText(reason)).not.toBe(reason);
  expect(reasonText(`${reason}: detail`)).toContain("detail");
});

const PROBLEMS: string[] = CommentProblem["enum"];

test.each(PROBLEMS)("the dashboard has words for a comment that isn't written because of %s", (problem) =>
  expect(reasonText(`comment: ${problem}`)).toMatch(/^No comment/),
);

test("the dashboard has words for an event whose job failed", () => {
  expect(reasonText("job: unsupported_plan_format")).toContain("processed: unsupported_plan_format");
});

test("a reason that isn't known is shown as it is", () => {
  expect(reasonText("processing exceeded its time limit, too often")).toBe(
    "processing exceeded its time limit, too often",
  );
  expect(rejectText("something_new")).toBe("Something new");
});

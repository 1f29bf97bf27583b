import { expect, test } from "bun:test";

import { statusOf } from "./account-status.ts";

const failing = (missing_permissions: string[]) =>
  statusOf({
    status: "failing",
    last_verification: {
      status: "failing",
      checks: [],
      missing_permissions,
      verified_at: "2026-11-01T00:00:00Z",
    },
  });

test.each([
  ["push", "Pushed"],
  ["unverified", "Not verified"],
  ["ok", "Verified"],
] as const)("an account with the status %s is shown as %s", (status, text) =>
  expect(statusOf({ status }).text).toBe(text),
);

test("a failing account lists its missing permissions", () => {
  expect(failing(["tag:GetResources"])).toMatchObject({
    text: "Failing",
    title: "Missing: tag:GetResources",
  });
  expect(failing([]).title).toBe("The credentials don’t work");
});

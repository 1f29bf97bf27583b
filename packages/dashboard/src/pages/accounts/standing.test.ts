import { expect, test } from "bun:test";

import { standingOf } from "./standing.ts";

const failing = (missing_permissions: string[]) =>
  standingOf({
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
] as const)("an account that is %s is called %s", (status, text) =>
  expect(standingOf({ status }).text).toBe(text),
);

test("one that fails says which permissions are missing, where it is that", () => {
  expect(failing(["tag:GetResources"])).toMatchObject({
    text: "Failing",
    title: "Missing: tag:GetResources",
  });
  expect(failing([]).title).toBe("Its credentials don’t work");
});

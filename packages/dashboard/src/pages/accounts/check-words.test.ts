import { expect, test } from "bun:test";

import { outcomeOf, triedText, type Check } from "./check-words.ts";

test.each<[Omit<Check, "name">, string, string]>([
  [{ ok: true }, "good", "Works"],
  [{ ok: true, message: "Resource Explorer is off" }, "low", "Works, with a warning"],
  [{ ok: false, missing: ["tag:GetResources"] }, "critical", "Permission missing"],
  [{ ok: false, message: "the secret has expired" }, "critical", "Doesn’t work"],
  [{ ok: false, optional: true, missing: ["logging.logEntries.list"] }, "medium", "Permission missing"],
])("%j: %s, %s", (check, tone, text) => {
  const outcome = outcomeOf({ name: "x", ...check });
  expect([outcome.tone, outcome.text]).toEqual([tone, text]);
});

test("an unknown check is shown by its name", () => {
  expect(triedText({ name: "sts", ok: true })).toBe("Signing in");
  expect(triedText({ name: "list IAM policies", ok: true })).toBe("Listing IAM policies");
  expect(triedText({ name: "billing_export", ok: true })).toBe("Billing export");
});

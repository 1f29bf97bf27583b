import { expect, test } from "bun:test";

import { isFixedBy } from "./documents.ts";

test.each([
  "The name. Changing this forces a new resource to be created.",
  "Changing this value forces a new Backup Policy to be created",
  "Is it encrypted? Changing this forces a new resource to be created.",
  "(Optional, Forces new resource) The format.",
  "Forces replacement if changed.",
  "The class. This field cannot be changed after creation.",
])("an argument is fixed if its text says: %s", (text) => {
  expect(isFixedBy(text)).toBe(true);
});

test.each([
  "The name.",
  "Changing this updates the policy.",
  "Downgrading will force a new resource to be created.",
  "Disabling it after it has been enabled forces recreation of the instance.",
  "Changing this from `true` to `false` forces a new resource to be created.",
  "If it is changed, creates a new version.",
])("an argument isn't fixed if its text says: %s", (text) => {
  expect(isFixedBy(text)).toBe(false);
});

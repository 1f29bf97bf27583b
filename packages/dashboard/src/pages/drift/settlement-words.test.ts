import { expect, test } from "bun:test";

import { patchName, requestName } from "./settlement-words.ts";

test.each([
  ["github", "pull request"],
  ["github.com", "pull request"],
  ["gitlab.example.com:8443", "merge request"],
  ["git.example.com", "change request"],
  [undefined, "change request"],
])("on %p a request is called %p", (host, name) => {
  expect(requestName(host)).toBe(name);
});

test("the name of a patch has no character that a file system or shell would read as its own", () => {
  expect(patchName("accept", 'module.a["x/y"].aws_instance.b[0]')).toBe(
    "accept-module.a-x-y-.aws_instance.b-0.patch",
  );
});

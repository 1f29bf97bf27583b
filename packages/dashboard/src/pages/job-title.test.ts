import { expect, test } from "bun:test";

import { projectOf } from "./job-title.ts";

test.each([
  ["with its name", { name: "shop", dir: "infra/shop", workspace: "production" }, "shop, production"],
  ["with its directory", { dir: "infra/shop", workspace: "default" }, "infra/shop, default"],
  ["with nothing if it is the whole repository", { dir: "." }, ""],
  ["with its workspace if it is the whole repository", { dir: ".", workspace: "default" }, "default"],
])("labels a project %s", (_, project, text) => {
  expect(projectOf({ project })).toBe(text);
});

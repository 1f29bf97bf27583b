import { expect, test } from "bun:test";

import { projectOf } from "./about.tsx";

test.each([
  ["by its name", { name: "shop", dir: "infra/shop", workspace: "production" }, "shop, production"],
  ["by its directory", { dir: "infra/shop", workspace: "default" }, "infra/shop, default"],
  ["by nothing, where it is all of the repository", { dir: "." }, ""],
  ["by its workspace, where it is all of the repository", { dir: ".", workspace: "default" }, "default"],
])("a project is called %s", (_, project, text) => {
  expect(projectOf({ project })).toBe(text);
});

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { zip } from "./zip.ts";

const FILES = [
  { path: "aws-111122223333/eu-west-1/adopted.tf", content: 'resource "aws_sqs_queue" "größe" {\n}\n' },
  { path: "variables.tf", content: "" },
];

test.skipIf(!Bun.which("unzip"))("unzip finds every file with its folder and content", async () => {
  const folder = await mkdtemp(join(tmpdir(), "leeway-zip-"));
  await Bun.write(join(folder, "a.zip"), zip(FILES));
  await Bun.$`unzip -q a.zip`.cwd(folder);
  for (const { path, content } of FILES) expect(await Bun.file(join(folder, path)).text()).toBe(content);
  await rm(folder, { recursive: true });
});

/** The version and the notes of a release. Their sources are `package.json` and `CHANGELOG.md`. */
import { join } from "node:path";

import { headed, misfits, notesOf, versionIn, withVersion } from "./release/versions.ts";

const USAGE = `usage: bun scripts/release.ts COMMAND
  set 1.2.3     writes the version to every file, and a heading to the changelog
  check v1.2.3  fails unless every file and the changelog have the version of this tag
  notes         prints the changelog's part of the version`;

const ROOT = join(import.meta.dir, "..");
const CHANGELOG = join(ROOT, "CHANGELOG.md");
const [command = "", value = ""] = process.argv.slice(2);

const changelog = await Bun.file(CHANGELOG).text();
const version = await versionIn(ROOT);
if (command === "set" && /^\d+\.\d+\.\d+$/.test(value)) {
  await withVersion(ROOT, value);
  await Bun.write(CHANGELOG, headed(changelog, value, new Date().toISOString().slice(0, 10)));
} else if (command === "check" && value !== "") {
  const problems = await misfits(ROOT, value.replace(/^v/, ""));
  if (notesOf(changelog, value.replace(/^v/, "")) === "")
    problems.push(`CHANGELOG.md has no part for ${value}`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else if (command === "notes") {
  console.log(notesOf(changelog, version));
} else {
  console.error(USAGE);
  process.exitCode = 64;
}

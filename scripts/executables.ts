/** Builds executables of the command line: `bun scripts/executables.ts FOLDER [TARGET…]`, by default for all systems. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { buildExecutable, TARGETS } from "@leeway/cli/build";

const [folder, ...wanted] = process.argv.slice(2);
const targets = TARGETS.filter((target) => wanted.length === 0 || wanted.includes(target));
const unknown = wanted.filter((name) => !TARGETS.some((target) => target === name));
if (folder === undefined || unknown.length > 0) {
  console.error(`usage: bun scripts/executables.ts FOLDER [TARGET…]; targets are ${TARGETS.join(", ")}`);
  process.exit(64);
}

await mkdir(folder, { recursive: true });
const sums: string[] = [];
for (const target of targets) {
  const name = `leeway-${target}${target.startsWith("windows") ? ".exe" : ""}`;
  const file = join(folder, name);
  await buildExecutable(file, target);
  const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(file).bytes()).digest("hex");
  sums.push(`${digest}  ${name}\n`);
  console.log(`${file}: ${(Bun.file(file).size / 1024 / 1024).toFixed(0)} MiB`);
}
await Bun.write(join(folder, "SHA256SUMS"), sums.join(""));

/**
 * Checks the style of comments, names and documents (CONTRIBUTING.md): sentence openings, words and sentences over 30
 * words. `scripts/prose/allowed.json` lists the remaining findings by file and may only shrink. `bun scripts/prose.ts
 * --shrink` removes findings that are fixed.
 */
import { $ } from "bun";

import { judge, shrink, type Allowed } from "./prose/allowed.ts";
import { proseFindings, type Finding } from "./prose/rules.ts";

const ALLOWED = `${import.meta.dirname}/prose/allowed.json`;
/** Generated files, and files with other rules. */
const NOT_OURS = /\.gen\.ts$|^docs\/contracts\.md$|\/golden\/|^scripts\/prose\//;

async function findAll(): Promise<Map<string, Finding[]>> {
  const found = new Map<string, Finding[]>();
  const listed = await $`git ls-files --cached --others --exclude-standard -- '*.ts' '*.tsx' '*.md'`.text();
  for (const path of listed.trim().split("\n")) {
    if (NOT_OURS.test(path) || !(await Bun.file(path).exists())) continue;
    const findings = proseFindings(path, await Bun.file(path).text());
    if (findings.length > 0) found.set(path, findings);
  }
  return found;
}

function lineByFile(list: Allowed): string {
  const lines = Object.entries(list).map(([path, counts]) => {
    const members = Object.entries(counts).map(([rule, count]) => `"${rule}": ${count}`);
    return `  ${JSON.stringify(path)}: { ${members.join(", ")} }`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

process.chdir(`${import.meta.dirname}/..`);
const found = await findAll();
const allowed: Allowed = await Bun.file(ALLOWED).json();
if (process.argv.includes("--shrink")) {
  await Bun.write(ALLOWED, lineByFile(shrink(found, allowed)));
  process.exit();
}
const { over, under } = judge(found, allowed);
for (const [path, { line, message }] of over) console.log(`${path}:${line} ${message}`);
if (under.length > 0) console.log(`${under.join(", ")} improved: run bun scripts/prose.ts --shrink`);
process.exit(over.length + under.length > 0 ? 1 : 0);

/** Static checks: format, lint, types, dead code and prose. All run at once, and each failure is reported. */
const CHECKS = {
  format: ["bun", "x", "oxfmt", "--check", "."],
  lint: ["bun", "x", "oxlint", "--type-aware"],
  types: ["bun", "x", "tsc"],
  "types of the dashboard": ["bun", "x", "tsc", "-p", "packages/dashboard"],
  "dead code": ["bun", "x", "knip"],
  prose: ["bun", "scripts/prose.ts"],
};

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, command]) => {
    const started = performance.now();
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { name, code, output: out + err, seconds: (performance.now() - started) / 1000 };
  }),
);

for (const { name, code, output, seconds } of results) {
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)`);
  if (code !== 0) console.log(output);
}
process.exit(results.some(({ code }) => code !== 0) ? 1 : 0);

/** Everything that can be known without running the product: format, lint, types, dead code. All at once, all reported. */
const CHECKS = {
  format: ["oxfmt", "--check", "."],
  lint: ["oxlint", "--type-aware"],
  types: ["tsc"],
  "types of the dashboard": ["tsc", "-p", "packages/dashboard"],
  "dead code": ["knip"],
};

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, command]) => {
    const started = performance.now();
    const child = Bun.spawn(["bun", "x", ...command], { stdout: "pipe", stderr: "pipe" });
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

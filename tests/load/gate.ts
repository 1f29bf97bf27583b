/**
 * Measures the hot paths against their baselines, and fails if a ratio has fallen by more than a fifth below its floor
 * in `floors.json`. The programs alternate with their baselines, so that a slow machine slows both. Takes about eight
 * minutes on two processors that do nothing else.
 * `bun tests/load/gate.ts ["program sizes" …]`
 */
import floors from "./floors.json";

/** Programs and their sizes. Each prints a ratio for each of its measurements. */
const PROGRAMS = ["push.ts 100000 60000 3", "list.ts 100000", "webhooks.ts", "quota.ts"];
/** A ratio may be this much of its floor, because machines differ. */
const TOLERANCE = 0.8;
const RATIO = / against bare (?<ratio>\d+\.\d+)$/;

const measured: Record<string, number> = {};
const programs = Bun.argv.length > 2 ? Bun.argv.slice(2) : PROGRAMS;
for (const program of programs) Object.assign(measured, ratiosOf(program, await outputOf(program)));

let failed = false;
const isRun = (name: string): boolean => programs.some((program) => nameOf(program) === name.split(":")[0]);
const expected = new Map<string, number>(Object.entries(floors).filter(([name]) => isRun(name)));
for (const name of new Set([...expected.keys(), ...Object.keys(measured)])) {
  const [ratio, floor] = [measured[name], expected.get(name)];
  const isLow = floor !== undefined && !(ratio !== undefined && ratio >= TOLERANCE * floor);
  failed ||= isLow;
  console.log(`${isLow ? "FAIL" : "ok  "} ${name}: ${ratio ?? "not measured"}, floor ${floor ?? "none"}`);
}
process.exit(failed ? 1 : 0);

async function outputOf(program: string): Promise<string> {
  const [name = "", ...sizes] = program.split(" ");
  const child = Bun.spawn([process.execPath, "run", "load", `${import.meta.dir}/${name}`, ...sizes], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  console.log(output);
  if ((await child.exited) !== 0) throw new Error(`${program} failed`);
  return output;
}

/** Returns the ratios that a program has printed. Each is named by the text before a colon, in its line or the last one. */
function ratiosOf(program: string, output: string): Record<string, number> {
  const ratios: Record<string, number> = {};
  let label = "";
  for (const line of output.split("\n")) {
    if (line.includes(":")) label = line.slice(0, line.indexOf(":"));
    const ratio = RATIO.exec(line)?.groups?.["ratio"];
    if (ratio !== undefined) ratios[`${nameOf(program)}: ${label}`] ??= Number(ratio);
  }
  return ratios;
}

function nameOf(program: string): string {
  return program.slice(0, program.indexOf(".ts"));
}

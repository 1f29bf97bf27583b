/**
 * Measures the comparison of an account's attributes against the bare match of the same pairs, in alternating rounds.
 * Goal: at most ten times as long. One of 50 resources drifted. Needs no services.
 * `bun tests/load/compare.ts [pairs]`
 */
import { aws } from "@leeway/clouds/aws/aws";
import { createMatcher } from "@leeway/clouds/matching/matcher";
import { driftOf } from "@leeway/drift/drift-of";

import { ACCOUNT, sidesAt } from "./pairs.ts";

const pairs = Number(Bun.argv[2] ?? 100_000);
const TURNS = 5;
const MAX_RATIO = 10;
const all = Array.from({ length: pairs }, (_, index) => sidesAt(index));

function match(): number {
  const matcher = createMatcher(
    all.map(({ declared: resource }, index) => {
      const { keys, region } = aws.declaredIdentity(resource);
      return { id: `d${index}`, sourceId: "s", region, keys, inline: false, contested: false };
    }),
  );
  for (const [index, { listed }] of all.entries()) {
    matcher.see({ id: `l${index}`, region: listed.region, keys: aws.liveKeys(listed, ACCOUNT) });
  }
  return matcher.pairs().length;
}

function compare(): number {
  let drifted = 0;
  for (const { declared, listed } of all) {
    const { type, address, attributes } = declared;
    const live = { properties: listed.properties ?? {}, tags: listed.tags ?? {} };
    if (driftOf({ type, address, declared: attributes, live }, { profile: "lenient" }).drift) drifted += 1;
  }
  return drifted;
}

function timed(run: () => number): { ms: number; count: number } {
  const started = performance.now();
  const count = run();
  return { ms: performance.now() - started, count };
}

const turns = Array.from({ length: TURNS }, () => ({ match: timed(match), compare: timed(compare) }));
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const [matchMs, compareMs] = [
  median(turns.map((turn) => turn.match.ms)),
  median(turns.map((turn) => turn.compare.ms)),
];
const [last] = turns.slice(-1);
const ratio = compareMs / matchMs;
console.log(`${last?.match.count} of ${pairs} pairs matched in ${matchMs.toFixed(0)} ms`);
console.log(`${last?.compare.count} of them drifted, found in ${compareMs.toFixed(0)} ms`);
console.log(`ratio ${ratio.toFixed(2)}, goal: at most ${MAX_RATIO}`);
if (ratio > MAX_RATIO) process.exitCode = 1;

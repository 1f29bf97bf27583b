/**
 * A client by itself that asks for a page every tenth of a second, whether the one before has come or not; prints
 * `{"p50", "p99"}` in milliseconds. `bun tests/load/paced.ts <url> <key> <seconds>`
 */
const [, , url = "", key = "", seconds = "1"] = Bun.argv;
const PACE_MS = 100;
const headers = { authorization: `Bearer ${key}` };

async function ask(): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url, { headers });
  await answer.bytes();
  if (!answer.ok) throw new Error(`${answer.status}`);
  return performance.now() - started;
}

await ask(); // its connection
const asked: Promise<number>[] = [];
for (let turn = 0; turn < (Number(seconds) * 1_000) / PACE_MS; turn += 1) {
  asked.push(ask());
  await Bun.sleep(PACE_MS);
}
const took = (await Promise.all(asked)).toSorted((a, b) => a - b);
const within = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
console.log(JSON.stringify({ p50: within(0.5), p99: within(0.99) }));

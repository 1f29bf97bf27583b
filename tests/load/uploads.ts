/**
 * Measures the memory of many large uploads at once: listings of 5 MB, each for a different account. P9 of our goals.
 * `bun tests/load/uploads.ts [uploads]`
 */
import { isObject, text } from "@leeway/shared/values/json";

import { startStack } from "./stack.ts";

const uploads = Number(Bun.argv[2] ?? 64);
const BYTES = 5 << 20;
const SAMPLE_MS = 50;
const AFTER_MS = 5_000;

const stack = await startStack();
const org = await stack.newOrg();
const base = `${stack.baseUrl}/api/v2/orgs/${org.id}`;
const headers = { authorization: `Bearer ${org.key}`, "content-type": "application/json" };

async function newAccount(index: number): Promise<string> {
  const answer = await fetch(`${base}/cloud-accounts`, {
    method: "POST",
    headers,
    body: JSON.stringify({ provider: "other", external_id: `account-${index}` }),
  });
  const account: unknown = await answer.json();
  return (isObject(account) && text(account, "id")) || "";
}

function listingOf(account: number): string {
  const rows: string[] = [];
  for (let bytes = 0, index = 0; bytes < BYTES; index += 1) {
    const row = JSON.stringify({
      provider_resource_id: `thing/${account}/${index}`,
      provider_type: "thing",
      properties: { size: "small", note: "x".repeat(200) },
    });
    rows.push(row);
    bytes += row.length + 1;
  }
  return rows.join("\n");
}

const accounts = await Promise.all(Array.from({ length: uploads }, (_, index) => newAccount(index)));
const listings = accounts.map((_, index) => listingOf(index));
const before = await stack.megabytes();
const sumOf = (sizes: Record<string, number>): number =>
  Object.values(sizes).reduce((sum, size) => sum + size, 0);
const peaks: Record<string, number> = { ...before };
let highest = sumOf(before);
const note = (sizes: Record<string, number>): void => {
  highest = Math.max(highest, sumOf(sizes));
  for (const [service, size] of Object.entries(sizes)) peaks[service] = Math.max(peaks[service] ?? 0, size);
};
const sampling = setInterval(() => void stack.megabytes().then(note), SAMPLE_MS);
const started = performance.now();
const statuses = await Promise.all(
  accounts.map(async (id, index) => {
    const answer = await fetch(`${base}/cloud-accounts/${id}/listing`, {
      method: "PUT",
      headers,
      body: listings[index] ?? "",
    });
    await answer.arrayBuffer();
    return answer.status;
  }),
);
const took = (performance.now() - started) / 1000;
clearInterval(sampling);
await Bun.sleep(AFTER_MS);
console.log(`${uploads} uploads of 5 MB at once: ${took.toFixed(1)} s`);
console.log(
  "answers:",
  Object.fromEntries(
    Map.groupBy(statuses, String)
      .entries()
      .map(([k, v]) => [k, v.length]),
  ),
);
console.log("resident megabytes before:", before);
console.log("at most:", peaks);
console.log(`all together at most ${(highest - sumOf(before)).toFixed(0)} MB above that`);
console.log(`${AFTER_MS / 1000} s after:`, await stack.megabytes());
await stack.stop();
process.exit(0);

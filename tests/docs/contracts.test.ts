import { expect, test } from "bun:test";

import { CONTRACTS_FILE, contractsText, loadContracts } from "../../scripts/docs/contracts.ts";

test("docs/contracts.md is up to date (run `bun run docs`)", async () => {
  expect((await Bun.file(CONTRACTS_FILE).text()) === (await contractsText())).toBe(true);
});

test("every contract is documented", async () => {
  const text = await contractsText();
  const { requests, events, broadcasts } = await loadContracts();
  for (const { contract } of [...requests, ...events, ...broadcasts])
    expect(text).toContain(`\n### \`${contract.subject}\`\n`);
  expect(requests.length).toBeGreaterThan(20);
});

test("every contract has a unique subject", async () => {
  const { requests, events, broadcasts } = await loadContracts();
  const subjects = [...requests, ...events, ...broadcasts].map(({ contract }) => contract.subject);
  expect(new Set(subjects).size).toBe(subjects.length);
});

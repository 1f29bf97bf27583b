import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { cloudOf } from "@leeway/clouds/clouds";
import { corpusFiles, corpusText } from "@leeway/clouds/corpus.fixture";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { AppError } from "@leeway/shared/values/errors";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

const states = corpusFiles("terraform-states/**/*.*");
const listings = corpusFiles("live-listings/**/*.{json,ndjson}");

/** Files among the states that aren't states, or have an unsupported format. */
const REFUSED_STATES = [
  /\/driftctl\/.*\/parsed\.json$/, // output of another tool
  /\/cloudformation\//, // templates, without physical resources
  /\/invalid\//,
  /dot-terraform--terraform\.tfstate$|backend-from-state--/, // version 3: settings of a backend
  /\.tf$/,
];

const REFUSALS = new Set(["unsupported_format", "account_mismatch", "state_encrypted"]);
const READ = "read";

function providerOf(path: string): string {
  if (path.includes("azure")) return "azure";
  return /forseti|terraform-validator/.test(path) ? "gcp" : "aws";
}

const NAMES_ACCOUNT: Record<string, RegExp> = {
  aws: /\barn:aws:[a-z0-9-]*:[a-z0-9-]*:(\d{12}):/g,
  azure: /\/subscriptions\/([0-9a-f-]{36})\//gi,
  gcp: /\/projects\/([^/"]+)/g,
};

const ANY: Record<string, string> = {
  aws: "123456789012",
  azure: "00000000-0000-0000-0000-000000000001",
  gcp: "any-project",
};

/**
 * Returns a listing with the account that most of it belongs to. If the authors replaced the account by a
 * placeholder, it becomes a valid id.
 */
function ownListing(path: string, body: string): { external: string; listing: string } {
  const any = ANY[providerOf(path)] ?? "";
  const names = [...body.matchAll(NAMES_ACCOUNT[providerOf(path)] ?? /$^/g)].map(([, name = ""]) => name);
  const byName = Object.entries(Object.groupBy(names, (name) => name));
  const [most] = byName.toSorted(([, a = []], [, b = []]) => b.length - a.length);
  const named = most?.[0];
  if (named === undefined) return { external: any, listing: body };
  const isForm = cloudOf(providerOf(path)).accountIds?.pattern.test(named);
  return isForm
    ? { external: named, listing: body }
    : { external: any, listing: body.replaceAll(named, any) };
}

/** Returns the responses within an HTTP recording or an API example. Users push responses without the recording. */
function answersIn(body: string): string[] {
  const document = JSON.parse(body);
  if ("status_code" in document) return [JSON.stringify(document.data)];
  if ("responses" in document) return [JSON.stringify(document.responses["200"].body)];
  const interactions: { response: { body: { data?: unknown } } }[] = document.interactions ?? [];
  return interactions.flatMap(({ response }) =>
    response.body.data ? [JSON.stringify(response.body.data)] : [],
  );
}

describe.skipIf(!hasCorpus)("every recorded body (skipped without LEEWAY_CORPUS)", () => {
  let inventory: TestInventory;
  const outcomes: string[] = [];
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(async () => {
    await inventory.stop();
    await Bun.write("reports/corpus-bodies.tsv", `${outcomes.toSorted().join("\n")}\n`);
  });

  /** Returns the outcome of a push: "read", or the refusal. Throws any failure that isn't a clear refusal. */
  async function outcomeOf(path: string, push: () => Promise<unknown>): Promise<string> {
    const outcome = await push().then(
      () => READ,
      (error: unknown) => {
        if (error instanceof AppError && REFUSALS.has(error.code)) return `${error.code}: ${error.message}`;
        throw error;
      },
    );
    outcomes.push(`${path}\t${outcome}`);
    return outcome;
  }

  test.each(states)("%s", async (path) => {
    const org = newOrg(inventory);
    const source = await org.source("one");
    const outcome = await outcomeOf(path, () => org.pushState(source, corpusText(path)));
    if (REFUSED_STATES.some((pattern) => pattern.test(path)))
      expect(outcome).toStartWith("unsupported_format");
    else expect(outcome).toBe(READ);
  });

  test.each(listings)("%s", async (path) => {
    const org = newOrg(inventory);
    const body = corpusText(path);
    const { external, listing } = ownListing(path, body);
    const account = await org.account(providerOf(path), external);
    const outcome = await outcomeOf(path, () => org.pushListing(account, listing, { allow_foreign: true }));
    if (outcome !== READ) expect(await org.resources()).toEqual([]);
  });

  test.each(listings.filter((path) => /cloud-custodian|resource-graph/.test(path)))(
    "%s, response by response",
    async (path) => {
      const org = newOrg(inventory);
      const { external, listing } = ownListing(path, corpusText(path));
      const account = await org.account(providerOf(path), external);
      const allowed = { allow_empty: true, allow_foreign: true };
      for (const [index, answer] of answersIn(listing).entries()) {
        await outcomeOf(`${path}#${index}`, () => org.pushListing(account, answer, allowed));
      }
    },
  );
});

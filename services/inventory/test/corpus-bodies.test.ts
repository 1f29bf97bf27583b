import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasCorpus } from "@leeway/shared/corpus.fixture";
import { AppError } from "@leeway/shared/errors";

import { corpusFiles, corpusText } from "../src/clouds/corpus.fixture.ts";
import { newOrg, startInventory, type TestInventory } from "./kit.ts";

const states = corpusFiles("terraform-states/**/*.*");
const listings = corpusFiles("live-listings/**/*.{json,ndjson}");

/** Files among the states that are no state, or none that is still read. */
const REFUSED_STATES = [
  /\/driftctl\/.*\/parsed\.json$/, // what another tool read
  /\/cloudformation\//, // templates: they name no physical resource
  /\/invalid\//,
  /dot-terraform--terraform\.tfstate$|backend-from-state--/, // version 3: the settings of a backend
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

/** The account that most of a listing is of. Placeholders of the collection's authors hold no blanks then. */
function accountOf(path: string, body: string): string {
  const names = [...body.matchAll(NAMES_ACCOUNT[providerOf(path)] ?? /$^/g)].map(([, name = ""]) => name);
  const byName = Object.entries(Object.groupBy(names, (name) => name));
  const [most] = byName.toSorted(([, a = []], [, b = []]) => b.length - a.length);
  return most?.[0] ?? "any";
}

/** The answers within a recording of HTTP or an example of an API's description, which users push without the recording. */
function answersIn(body: string): string[] {
  const document = JSON.parse(body);
  if ("status_code" in document) return [JSON.stringify(document.data)];
  if ("responses" in document) return [JSON.stringify(document.responses["200"].body)];
  const interactions: { response: { body: { data?: unknown } } }[] = document.interactions ?? [];
  return interactions.flatMap(({ response }) =>
    response.body.data ? [JSON.stringify(response.body.data)] : [],
  );
}

describe.skipIf(!hasCorpus)(
  "every body that others have written (skipped without the collection of real data)",
  () => {
    let inventory: TestInventory;
    const outcomes: string[] = [];
    beforeAll(async () => {
      inventory = await startInventory();
    });
    afterAll(async () => {
      await inventory.stop();
      await Bun.write("reports/corpus-bodies.tsv", `${outcomes.toSorted().join("\n")}\n`);
    });

    /** What became of a push: "read", or the refusal. Anything but a clear refusal is thrown. */
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
      const account = await org.account(providerOf(path), accountOf(path, body));
      const outcome = await outcomeOf(path, () => org.pushListing(account, body));
      if (outcome !== READ) expect(await org.resources()).toEqual([]);
    });

    test.each(listings.filter((path) => /cloud-custodian|resource-graph/.test(path)))(
      "%s, answer by answer",
      async (path) => {
        const org = newOrg(inventory);
        const body = corpusText(path);
        const account = await org.account(providerOf(path), accountOf(path, body));
        for (const [index, answer] of answersIn(body).entries()) {
          await outcomeOf(`${path}#${index}`, () => org.pushListing(account, answer, true));
        }
      },
    );
  },
);

import { isObject, type JsonObject } from "@leeway/shared/json";
import { readdir } from "node:fs/promises";
import { join, parse } from "node:path";

/** A cloud account with what runs there and what declares it: one folder of `examples/`. */
export interface Example {
  /** Body of `POST /cloud-accounts`. */
  account: JsonObject;
  listing: Blob;
  /** Named as their IaC sources are. */
  states: readonly { name: string; document: Blob }[];
}

const EXAMPLES = join(import.meta.dir, "../../examples");

export async function loadExamples(): Promise<Example[]> {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(EXAMPLES, name));
  return Promise.all(folders.toSorted().map(loadExample));
}

async function loadExample(folder: string): Promise<Example> {
  const account: unknown = await Bun.file(join(folder, "account.json")).json();
  const listing = (await readdir(folder)).find((name) => parse(name).name === "listing");
  if (!isObject(account) || listing === undefined)
    throw new Error(`${folder} lacks its account.json or its listing`);
  const states = (await readdir(join(folder, "states"))).toSorted();
  return {
    account,
    listing: Bun.file(join(folder, listing)),
    states: states.map((file) => ({
      name: parse(file).name,
      document: Bun.file(join(folder, "states", file)),
    })),
  };
}

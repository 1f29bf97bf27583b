import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { readdir } from "node:fs/promises";
import { join, parse } from "node:path";

/** One folder of `examples/`: a cloud account with its resources, their states and planned changes. */
export interface Example {
  /** Body of `POST /cloud-accounts`. */
  account: JsonObject;
  listing: Blob;
  /** States, with the names of their IaC sources. */
  states: readonly { name: string; document: Blob }[];
  /** Bodies of `POST /analyze`, in their original order. */
  plans: readonly JsonObject[];
}

const EXAMPLES = join(import.meta.dir, "../../examples");

export async function loadExamples(): Promise<Example[]> {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(EXAMPLES, name));
  return Promise.all(folders.toSorted().map(loadExample));
}

async function loadExample(folder: string): Promise<Example> {
  const account = await readObject(join(folder, "account.json"));
  const listing = (await readdir(folder)).find((name) => parse(name).name === "listing");
  if (listing === undefined) throw new Error(`${folder} lacks its listing`);
  const filesIn = async (part: string): Promise<string[]> => {
    const names = await readdir(join(folder, part)).catch((): string[] => []);
    return names.toSorted().map((name) => join(folder, part, name));
  };
  const [states, plans] = await Promise.all([filesIn("states"), filesIn("plans")]);
  return {
    account,
    listing: Bun.file(join(folder, listing)),
    states: states.map((file) => ({ name: parse(file).name, document: Bun.file(file) })),
    plans: await Promise.all(plans.map((file) => readObject(file))),
  };
}

async function readObject(file: string): Promise<JsonObject> {
  const value: unknown = await Bun.file(file).json();
  if (!isObject(value)) throw new Error(`${file} holds no object`);
  return value;
}

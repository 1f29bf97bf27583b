import type { BroadcastContract, EventContract, RequestContract } from "@leeway/shared/contracts/contract";
import { healthOf } from "@leeway/shared/contracts/common";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { Glob } from "bun";
import { join } from "node:path";

import { type NameOf, schemaText, shapeOf, shapeText } from "./schema-text.ts";

const ROOT = join(import.meta.dir, "../..");
const CONTRACTS = "packages/shared/src/contracts";

/** Path of the generated document. */
export const CONTRACTS_FILE = join(ROOT, "docs/contracts.md");

interface Named {
  name: string;
  /** File that declares it, relative to the repository's root. */
  file: string;
}

/** All contracts between services. */
export interface Contracts {
  requests: (Named & { contract: RequestContract })[];
  events: (Named & { contract: EventContract })[];
  broadcasts: (Named & { contract: BroadcastContract })[];
  /** Schemas that are exported by name. */
  shapes: (Named & { schema: JsonObject })[];
}

/** Returns the service that a subject belongs to. */
export function ownerOf(subject: string): string {
  return subject.split(".", 1)[0] ?? "";
}

/** Loads all contracts of `packages/shared/src/contracts`, sorted by subject, including each service's health. */
export async function loadContracts(): Promise<Contracts> {
  const found: Contracts = { requests: [], events: [], broadcasts: [], shapes: [] };
  for (const path of [...new Glob("**/*.ts").scanSync(join(ROOT, CONTRACTS))].toSorted()) {
    if (path.endsWith(".test.ts")) continue;
    const exported: Record<string, unknown> = await import(join(ROOT, CONTRACTS, path));
    for (const name of Object.keys(exported).toSorted()) {
      sort(found, { name, file: `${CONTRACTS}/${path}` }, exported[name]);
    }
  }
  const owners = new Set(found.requests.map(({ contract }) => ownerOf(contract.subject)));
  owners.delete("gateway"); // reports its health over HTTP
  for (const owner of owners) {
    found.requests.push({ name: "healthOf", file: `${CONTRACTS}/common.ts`, contract: healthOf(owner) });
  }
  found.requests.sort((a, b) => compare(a.contract.subject, b.contract.subject));
  found.events.sort((a, b) => compare(a.contract.subject, b.contract.subject));
  found.broadcasts.sort((a, b) => compare(a.contract.subject, b.contract.subject));
  return found;
}

function sort({ requests, events, broadcasts, shapes }: Contracts, named: Named, value: unknown): void {
  if (isRequest(value)) requests.push({ ...named, contract: value });
  else if (isEvent(value)) events.push({ ...named, contract: value });
  else if (isBroadcast(value)) broadcasts.push({ ...named, contract: value });
  else if (isObject(value) && ("properties" in value || "anyOf" in value))
    shapes.push({ ...named, schema: value });
}

export function isRequest(value: unknown): value is RequestContract {
  return isObject(value) && "subject" in value && "timeoutMs" in value;
}

export function isEvent(value: unknown): value is EventContract {
  return isObject(value) && "subject" in value && "stream" in value;
}

export function isBroadcast(value: unknown): value is BroadcastContract {
  return isObject(value) && "subject" in value && "broadcast" in value;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

const HEAD = `# Contracts

What services say to each other over NATS, generated from [${CONTRACTS}](../${CONTRACTS}) by \`bun run docs\`.

A request is answered by the service that its subject begins with, and published at \`<subject>.<caller>\`, which NATS takes from
that caller alone; an input with a member that isn't named here is
refused, while an answer may grow. An event is kept by its stream until it has been worked off; a broadcast reaches
every process of its owner, or is lost. \`?\` marks what may be left out, bounds stand behind types: \`string(1..200)\` is a
text of 1 to 200 characters, \`integer(1..500)\` a number from 1 to 500. Shapes with a name are listed at the end. A field that
is sealed travels encrypted under a key of the two services ([security](security.md#between-services)).
`;

/** Returns the text of docs/contracts.md. */
export async function contractsText(): Promise<string> {
  const { requests, events, broadcasts, shapes } = await loadContracts();
  const named = new Map(shapes.map((shape) => [shapeOf(shape.schema), shape]));
  const used = new Set<(typeof shapes)[number]>();
  const nameOf: NameOf = (schema) => {
    const shape = named.get(shapeOf(schema));
    if (shape) used.add(shape);
    return shape?.name;
  };
  const textOf = (schema: object): string => schemaText(plain(schema), nameOf);

  const owners = [...Map.groupBy(requests, ({ contract }) => ownerOf(contract.subject))];
  const sections = owners.map(([owner, asked]) => {
    const entries = asked.map(({ contract, name, file }) => {
      const { subject, input, output, timeoutMs, callers, fromReplica } = contract;
      const facts = `\`${name}\` in ${link(file)}, asked by ${callers.join(", ")}, answered within ${timeoutMs / 1000} s${fromReplica ? ", also by a read replica" : ""}${sealedText(contract)}`;
      return entry(subject, facts, [`input: ${textOf(input)}`, `output: ${textOf(output)}`]);
    });
    return section(`Requests to ${owner}`, entries);
  });
  const published = events.map(({ contract: { subject, stream, payload }, name, file }) => {
    const facts = `\`${name}\` in ${link(file)}, kept in the stream \`${stream}\``;
    return entry(subject, facts, [`payload: ${textOf(payload)}`]);
  });
  const announced = broadcasts.map(({ contract: { subject }, name, file }) =>
    entry(subject, `\`${name}\` in ${link(file)}`, ["payload: string"]),
  );
  // The loop includes shapes that are added to `used` while it runs.
  const explained = new Map<string, string>();
  for (const { name, file, schema } of used) {
    explained.set(name, entry(name, `In ${link(file)}`, [shapeText(plain(schema), nameOf)]));
  }
  const entries = [...explained].toSorted(([a], [b]) => compare(a, b)).map(([, text]) => text);
  return [
    HEAD,
    ...sections,
    section("Events", published),
    section("Broadcasts", announced),
    section("Shapes", entries),
  ].join("\n");
}

/** Returns the names of a contract's sealed fields. */
function sealedText({ sealed: { input, output } }: RequestContract): string {
  const fields = [...input, ...output].map((path) => `\`${path.join(".")}\``);
  return fields.length === 0 ? "" : `, sealed: ${fields.join(", ")}`;
}

function section(title: string, entries: string[]): string {
  return `## ${title}\n\n${entries.join("\n")}`;
}

function entry(title: string, facts: string, lines: string[]): string {
  return `### \`${title}\`\n\n${facts}\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n`;
}

function link(file: string): string {
  return `[${file.slice(CONTRACTS.length + 1)}](../${file})`;
}

/** Returns a schema's JSON members only. */
function plain(schema: object): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(schema));
  return isObject(value) ? value : {};
}

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";

import { cloudOf } from "@leeway/clouds/clouds";
import { readDeclaredState, type DeclaredRow } from "@leeway/drift/estate/declared";
import {
  accountIn,
  joinListings,
  readAnyListing,
  type Listing,
  type LiveAccount,
} from "@leeway/drift/estate/live-account";
import { AppError } from "@leeway/shared/values/errors";
import { inflated } from "@leeway/shared/values/inflated";
import { glob } from "tinyglobby";

import { parseAccount, type NamedAccount } from "../account.ts";
import { usage, type Given } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf } from "../text.ts";

const STDIN = "-";
/** Larger files are refused, once inflated. */
const MAX_BYTES = 4 * 2 ** 30;

/** Parses the value of `--account`. */
export function accountNamed(raw: string): NamedAccount {
  const account = parseAccount(raw);
  if (account) return account;
  throw new Error("must be PROVIDER:EXTERNAL_ID, such as aws:123456789012");
}

/** Returns the files that a required flag names. */
export async function filesIn(
  command: string,
  given: Given,
  name: "--listing" | "--state",
): Promise<string[]> {
  const values = given.all(name);
  if (values.length === 0) throw usage(command, `${name} FILE is required`);
  return filesOf(command, name, values);
}

/** Refuses to read standard input twice. */
export function requireOneInput(command: string, files: readonly string[]): void {
  if (files.filter((file) => file === STDIN).length > 1)
    throw usage(command, "only one file can be standard input");
}

/** Returns the files that a flag's values name; values may be patterns such as `states/**.tfstate`. */
async function filesOf(command: string, name: string, values: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const value of values) {
    const isFile = value === STDIN || (await stat(value).catch(() => undefined)) !== undefined;
    const found = isFile ? [value] : (await glob(value, { dot: true })).toSorted();
    if (found.length === 0) throw usage(command, `${name} ${value}: no such file`);
    files.push(...found);
  }
  return [...new Set(files)];
}

/**
 * Reads the listings and joins those of the same account.
 * @throws {Failure} that names the file that can't be read
 */
export async function readAccounts(
  files: readonly string[],
  given: { command: string; account: NamedAccount | undefined },
  terminal: Terminal,
): Promise<LiveAccount[]> {
  const byAccount = new Map<string, { account: NamedAccount; listings: Listing[] }>();
  for (const file of files) {
    const listing = await readOne(file, terminal, readAnyListing);
    // A failed command leaves an empty file, which would make everything missing.
    if (listing.read.formats.length === 0)
      throw new Failure("refused", `${nameOf(file)} contains no listing`);
    const account = accountOf(listing, file, given);
    const key = `${account.provider}:${account.externalId}`;
    const known = byAccount.get(key) ?? { account, listings: [] };
    known.listings.push(listing);
    byAccount.set(key, known);
  }
  return Array.from(byAccount.values(), ({ account: { provider, externalId }, listings }) =>
    joinListings(listings, { provider, external_id: externalId }),
  );
}

function accountOf(
  listing: Listing,
  file: string,
  { command, account }: { command: string; account: NamedAccount | undefined },
): NamedAccount {
  const named = accountIn(listing);
  if (account && (named === undefined || cloudOf(account.provider) === listing.cloud)) return account;
  if (named !== undefined) return { provider: listing.cloud.provider, externalId: named };
  throw usage(command, `${nameOf(file)} names no account; add --account, such as --account aws:123456789012`);
}

/**
 * Reads the states.
 * @throws {Failure} that names the file that can't be read
 */
export async function readStates(files: readonly string[], terminal: Terminal): Promise<DeclaredRow[]> {
  const all: DeclaredRow[] = [];
  for (const file of files) {
    const { rows } = await readOne(file, terminal, (bytes) => readDeclaredState(bytes(), nameOf(file)));
    for (const row of rows) all.push(row);
  }
  return all;
}

function readOne<T>(
  file: string,
  { during, readInput }: Terminal,
  read: (bytes: () => AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  return during(`reading ${nameOf(file)}`, async () => {
    try {
      return await read(await opener(file, readInput));
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      const reason = cause instanceof AppError ? cause.message : reasonOf(cause);
      throw new Failure("refused", `${nameOf(file)}: ${reason}`, { cause });
    }
  });
}

/** Returns a function that opens the file again at each call. Standard input is kept in memory. */
async function opener(
  file: string,
  readInput: Terminal["readInput"],
): Promise<() => AsyncIterable<Uint8Array>> {
  if (file !== STDIN) return () => inflated(webStream(createReadStream(file)), MAX_BYTES);
  const bytes = await bytesOf(readInput());
  return () => inflated(webStream(Readable.from([bytes])), MAX_BYTES);
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream);
}

function nameOf(file: string): string {
  return file === STDIN ? "standard input" : file;
}

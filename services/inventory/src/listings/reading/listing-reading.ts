import { AppError, bodyRequired } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";

import type { ListedResource, ListingFormat } from "../../clouds/cloud.ts";
import { SAME_KIND } from "../../clouds/aws/rds-family.ts";
import { CLOUDS, cloudOf, formatsOf } from "../../clouds/clouds.ts";
import { asStored } from "../../documents/copy-text.ts";
import { readDeclared } from "../../matching/declared-texts.ts";
import { createMatcher, type Live, type Matcher, type Pair } from "../../matching/matcher.ts";
import { verdictOf, type Verdict } from "../../matching/verdict-lines.ts";
import type { ListedAccount } from "../listed-line.ts";
import { ListingLines } from "../listing-lines.ts";
import { readListing, type ReadListing } from "../read-listing.ts";
import { scopeOf, type SightScope } from "../sight-scope.ts";

/** A listing as inflated. */
const MOST_BYTES = 256 << 20;

/** Lines wait to be taken at this length: a small chunk may inflate to a thousand times its size. */
const MOST_CHARACTERS = 4 << 20;

/** What has been read since the last time; without lines until it is known what is declared. */
export interface ListingPiece {
  /** Lines for COPY, of the `LISTED_COLUMNS` and the `EARLY_COLUMNS`. */
  lines: Uint8Array;
  /** Resources of the account by now, duplicates included. */
  seen: number;
  /** A resource has been named twice by now: then nothing is right that tells what is declared. */
  repeats: boolean;
  /** The lines were as many as may wait: `rest` has the next. What isn't read yet comes with a later piece. */
  more: boolean;
}

/** What all of a listing held. */
export interface ListingEnd {
  seen: number;
  /** Rows that plainly belong to another account. */
  foreign: number;
  formats: Pick<ListingFormat, "name" | "taggedOnly">[];
  /** The member of its last page that tells that there is more. */
  goesOn: string | undefined;
  /** Canonical types that it shows. */
  types: string[];
  scope: SightScope;
  /** Something may own one of its resources. */
  hasOwned: boolean;
  /** It names a resource twice: then nothing is right that tells what is declared. */
  repeats: boolean;
  /** What of it is declared; nothing where it `repeats`. */
  verdict: Verdict;
}

/** How a line says early that nothing declares its resource. */
const UNDECLARED = "\t\\N\t\\N";

const NOTHING: Verdict = { lines: undefined, ambiguous: [] };

/** Blanks, line ends, and a mark in front. */
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32, ...Buffer.from("\uFEFF")]);

/** A body that holds something: a gzip of nothing, or a line end, is what is sent where a command before has failed. */
async function* required(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isNothing = true;
  for await (const chunk of body) {
    isNothing &&= chunk.every((byte) => BLANKS.has(byte));
    yield chunk;
  }
  if (isNothing) throw bodyRequired();
}

/** Reads a listing chunk by chunk, and finds what of it is declared meanwhile. */
export class ListingReading {
  readonly #lines: ListingLines;
  readonly #listed = new ListedIds();
  /** Something of what lines told early is wrong, or not all. */
  #revised = false;
  readonly #body = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#body.writable.getWriter();
  readonly #read: Promise<ReadListing>;
  #matcher: Matcher | undefined;
  #unseen: Live[] = [];
  /** Resolves when nothing waits to be read but the last chunk. */
  #given: Promise<unknown> = Promise.resolve();
  #filled = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  constructor(account: ListedAccount) {
    const cloud = cloudOf(account.provider);
    this.#lines = new ListingLines(cloud, account);
    this.#read = readListing(required(inflated(this.#body.readable, MOST_BYTES)), {
      formats: formatsOf(cloud),
      clouds: CLOUDS,
      take: (resource) => this.#take(resource),
      lack: (type) => this.#lines.lack(type),
      drain: () => this.#drain(),
    });
    this.#read.catch(() => undefined); // told where it is awaited
  }

  /** Takes what is declared, which needn't be known at the beginning. @param declared as `declaredTexts` */
  declare(declared: readonly string[]): void {
    this.#matcher = createMatcher(readDeclared(declared));
  }

  /** @throws {AppError} `unsupported_format`, `payload_too_large`; `invalid_parameter` where there is nothing */
  read(chunk: Uint8Array): Promise<ListingPiece> {
    this.#given = this.#writer.write(chunk);
    return this.rest();
  }

  /** Reads what there still is after the last chunk. @throws {AppError} as `read` */
  close(): Promise<ListingPiece> {
    this.#writer.close().catch(() => undefined);
    this.#given = this.#read;
    return this.rest();
  }

  async rest(): Promise<ListingPiece> {
    const more = this.#filled.promise.then(() => true);
    const done = Promise.race([this.#given, this.#read]).then(() => false);
    return this.#cut(await Promise.race([more, done]));
  }

  /** @throws {AppError} `account_mismatch` when all of it is of another account */
  async end(): Promise<ListingEnd> {
    const { formats, goesOn } = await this.#read;
    const { seen, foreign, isAnyListed } = this.#lines;
    if (seen === 0 && foreign > 0) {
      throw new AppError(
        "account_mismatch",
        `all ${foreign} resources of the listing are in another account`,
      );
    }
    const repeats = this.#listed.repeat;
    return {
      seen,
      foreign,
      formats: formats.map(({ name, taggedOnly }) => ({ name, ...(taggedOnly && { taggedOnly }) })),
      goesOn,
      types: [...this.#lines.types],
      scope: scopeOf(formats, seen > 0 && !isAnyListed),
      hasOwned: this.#lines.hasOwned,
      repeats,
      verdict: repeats || !this.#matcher ? NOTHING : this.#judge(this.#matcher),
    };
  }

  #judge(matcher: Matcher): Verdict {
    if (this.#revised || matcher.isRevised()) return verdictOf(matcher);
    return { lines: undefined, ambiguous: matcher.ambiguous() };
  }

  #drain(): Promise<void> {
    if (this.#lines.characters < MOST_CHARACTERS) return Promise.resolve();
    this.#filled.resolve();
    return this.#taken.promise;
  }

  #take(resource: ListedResource): void {
    const live = this.#lines.take(resource);
    if (live === undefined) return;
    this.#listed.add(resource);
    this.#unseen.push(live);
  }

  /** Matches a chunk's resources one after the other: row by row, the index of keys would leave the processor's cache. */
  #cut(more: boolean): ListingPiece {
    const told = { seen: this.#lines.seen, repeats: this.#listed.repeat, more };
    if (!this.#matcher) return { ...told, lines: new Uint8Array() };
    this.#unseen.forEach(this.#matcher.see);
    const lines = Buffer.from(this.#lines.cut(this.#tell(this.#matcher.latest())));
    this.#unseen = [];
    this.#taken.resolve();
    [this.#filled, this.#taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    return { ...told, lines };
  }

  /** What is added to each line. A resource that several sources declare, or that several accounts have, is for later. */
  #tell(pairs: readonly Pair[]): string[] {
    const told = new Map<string, string>();
    for (const { liveId, declared, level } of pairs) {
      if (declared.contested || told.has(liveId)) this.#revised = true;
      else told.set(liveId, `\t${declared.id}\t${level}`);
    }
    return this.#unseen.map(({ id }) => told.get(id) ?? UNDECLARED);
  }
}

/** Notices when a listing names a resource twice. */
class ListedIds {
  repeat = false;
  readonly #idsByType = new Map<string, Set<string>>();

  /**
   * Compares as PostgreSQL does: by kind and by its function `inventory.identity`, and two texts that it can't store as
   * they are may be one.
   */
  add({ provider_type, provider_resource_id }: ListedResource): void {
    if (this.repeat) return;
    const type = asStored(kindOf(provider_type));
    let ids = this.#idsByType.get(type);
    if (!ids) this.#idsByType.set(type, (ids = new Set()));
    const { size } = ids;
    this.repeat = ids.add(identityOf(asStored(provider_resource_id))).size === size;
  }
}

const BEGINNING = new RegExp(SAME_KIND.beginning);

/** As `kind` of what is live, but for the ARN: a repetition too many is only slower. */
function kindOf(type: string): string {
  return type.replace(BEGINNING, SAME_KIND.instead);
}

function identityOf(id: string): string {
  return /^\/subscriptions\//i.test(id) ? id.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : id;
}

import { AppError } from "@leeway/shared/values/errors";
import { text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { Cloud, ListedResource, ListingFormat } from "../cloud.ts";
import { nameDocument } from "../known-documents.ts";
import { at, type ListPath } from "../documents/document-parser.ts";
import { readDocuments, visitDocument, type DocumentVisitor } from "../documents/read-documents.ts";

interface ListingReader {
  /** Formats that this listing may have. */
  formats: readonly ListingFormat[];
  /** All clouds, for naming unreadable documents. */
  clouds: readonly Cloud[];
  /**
   * Receives one resource.
   * @param source the document that has only this resource, so that nothing else depends on it
   */
  take(resource: ListedResource, source?: ResourceDocument): void;
  /** Returns the name of a document's format if it needn't be read, because it was the source of a known resource. */
  recognize?(document: Uint8Array): string | undefined;
  /** Receives the type of a page without rows, if the page names it. */
  lack?(type: string): void;
}

/** A document with one resource. */
export interface ResourceDocument {
  format: string;
  bytes: Uint8Array;
}

/** Summary of a listing. */
export interface ReadListing {
  /** Formats found, in order. */
  formats: ListingFormat[];
  /** Member of its last page that indicates further pages. */
  goesOn: string | undefined;
  /** Whether a list of one type contains several types, in a format where such a list is complete. */
  isMixed: boolean;
}

/**
 * Reads a listing in any of the formats, page by page and row by row.
 * `drain` is awaited regularly, so that the caller can keep up.
 * @throws {AppError} `unsupported_format` that names the document found instead
 */
export async function readListing(
  body: AsyncIterable<Uint8Array>,
  { drain, ...reader }: ListingReader & { drain?: () => Promise<void> },
): Promise<ReadListing> {
  const { met, mixed, openEnds, lists, visitor } = openListing(reader);
  const isKnown = (document: Uint8Array): boolean => {
    const name = reader.recognize?.(document);
    const format = name === undefined ? undefined : reader.formats.find((one) => one.name === name);
    if (format) met.add(format);
    return format !== undefined;
  };
  await readDocuments(body, {
    lists,
    visitor,
    ...(reader.recognize && { isKnown }),
    ...(drain && { drain }),
  });
  const goesOn = [...openEnds.values()].find((end) => end !== undefined);
  return { formats: [...met], goesOn, isMixed: mixed.isAny };
}

/** Creates a reader for a listing that arrives page by page. It reads pages like those of a pushed listing. */
export function createPageReader(reader: ListingReader): {
  /** @throws as `readListing` */
  read(page: JsonObject): void;
  /** Returns the formats found, in order. */
  formats(): ListingFormat[];
} {
  const { met, lists, visitor } = openListing(reader);
  return { read: (page) => visitDocument(page, { lists, visitor }), formats: () => [...met] };
}

function openListing({ formats, clouds, take, lack }: ListingReader) {
  const met = new Set<ListingFormat>();
  /**
   * For each listed type, the member of its last page that indicates further pages. Cloud Control lists type by type.
   */
  const openEnds = new Map<string, string | undefined>();
  const mixed = new MixedLists();
  const visitor = listingVisitor(formats, clouds, {
    take(format, resources, { emptyType, bytes } = {}) {
      met.add(format);
      const isOnly = resources.length === 1 && !format.allIfMixed;
      const source = bytes && isOnly ? { format: format.name, bytes } : undefined;
      for (const resource of resources) take(resource, source);
      if (format.allIfMixed) mixed.take(resources[0]);
      if (emptyType !== undefined) lack?.(emptyType);
    },
    endPage(page, goesOn) {
      openEnds.set(text(page, "TypeName") ?? "", goesOn);
      if (goesOn === undefined) mixed.endList();
    },
  });
  const lists = [...new Map(allFormats(clouds, formats).map(({ rows }) => [rows.join("."), rows])).values()];
  return { met, mixed, openEnds, visitor, lists: lists.filter((list) => list.length > 0) };
}

/** Detects a list with several types. Pages belong to one list as long as each leads to the next. */
class MixedLists {
  isAny = false;
  readonly #types = new Set<string>();

  /** Takes the row's own resource, which precedes the ones inside it. */
  take(resource: ListedResource | undefined): void {
    if (resource) this.#types.add(resource.provider_type.toLowerCase());
    this.isAny ||= this.#types.size > 1;
  }

  endList(): void {
    this.#types.clear();
  }
}

function allFormats(clouds: readonly Cloud[], formats: readonly ListingFormat[]): ListingFormat[] {
  return [...new Set([...formats, ...clouds.flatMap((cloud) => cloud.formats)])];
}

interface TakenPage {
  /** Type of a page without rows, if it names one. */
  emptyType?: string | undefined;
  /** The document without rows that has the resources. */
  bytes?: Uint8Array | undefined;
}

/** Receives the content of a listing. */
interface Reader {
  take(format: ListingFormat, resources: ListedResource[], page?: TakenPage): void;
  /** @param goesOn the member that indicates further pages */
  endPage(page: JsonObject, goesOn: string | undefined): void;
}

function listingVisitor(
  formats: readonly ListingFormat[],
  clouds: readonly Cloud[],
  { take, endPage }: Reader,
): DocumentVisitor {
  const byList = Map.groupBy(formats, ({ rows }) => rows.join("."));
  let waiting: { list: ListPath; row: Json }[] = [];
  let rowNumber = 0;

  function read(list: ListPath, row: Json, page: JsonObject): void {
    rowNumber += 1;
    for (const format of byList.get(list.join(".")) ?? []) {
      const resources = format.read(row, page);
      if (resources) return take(format, resources);
    }
    throw unsupported(page, clouds, `row ${rowNumber} isn't of a known kind`);
  }

  return {
    row(list, row, page) {
      const needed = (byList.get(list.join(".")) ?? []).flatMap(({ needs = [] }) => needs);
      if (waiting.length === 0 && needed.every((name) => name in page)) read(list, row, page);
      else waiting.push({ list, row });
    },
    end(document, lists, bytes) {
      for (const { list, row } of waiting) read(list, row, document);
      waiting = [];
      rowNumber = 0;
      const known = lists.filter((list) => byList.has(list.join(".")));
      if (known.length === 0) return readAlone(document, bytes);
      for (const list of known) meetEmpty(list, document);
      const pages = known.flatMap((list) => byList.get(list.join(".")) ?? []);
      endPage(document, pages.map((format) => format.goesOn?.(document)).find(Boolean));
    },
  };

  /** Assigns a page without rows to the first format with rows at this place. */
  function meetEmpty(list: ListPath, document: JsonObject): void {
    const rows = at(document, list);
    const [format] = byList.get(list.join(".")) ?? [];
    if (format && Array.isArray(rows) && rows.length === 0)
      take(format, [], { emptyType: format.pageType?.(document) });
  }

  function readAlone(document: JsonObject, bytes: Uint8Array | undefined): void {
    for (const format of byList.get("") ?? []) {
      const resources = format.read(document, {});
      if (resources) return take(format, resources, { bytes });
    }
    throw unsupported(document, clouds);
  }
}

function unsupported(document: JsonObject, clouds: readonly Cloud[], detail?: string): AppError {
  const name = nameDocument(document, clouds);
  const more = detail === undefined ? "" : ` (${detail})`;
  return new AppError("unsupported_format", `this is ${name}${more}, not a listing for this account`);
}

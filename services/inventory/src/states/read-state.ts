import { AppError } from "@leeway/shared/errors";
import { isObject, type JsonObject } from "@leeway/shared/json";

import type { DeclaredResource } from "../clouds/cloud.ts";
import { CLOUDS } from "../clouds/clouds.ts";
import { nameDocument } from "../clouds/known-documents.ts";
import { at } from "../documents/document-parser.ts";
import { readDocuments } from "../documents/read-documents.ts";
import { cloudformationStack } from "./cloudformation-stack.ts";
import { pulumiStack } from "./pulumi-stack.ts";
import type { StateFormat } from "./state-format.ts";
import { terraformShow } from "./terraform-show.ts";
import { terraformState } from "./terraform-state.ts";
import { createTextHash, type TextHash } from "./text-hash.ts";

const FORMATS: readonly StateFormat[] = [terraformState, terraformShow, pulumiStack, cloudformationStack];

/** What a state says of itself. */
export interface StateHead {
  kind: StateFormat["kind"];
  serial?: number;
  lineage?: string;
  hash: TextHash;
  /** Managed instances that it declares. */
  count: number;
}

interface StateReader {
  take(resource: DeclaredResource): void;
  drain(): Promise<void>;
}

/**
 * Reads a state of any tool, handing over each resource that it manages.
 * @throws {AppError} `unsupported_format` or `state_encrypted`, with what to run instead
 */
export async function readState(
  body: AsyncIterable<Uint8Array>,
  { take, drain }: StateReader,
): Promise<StateHead> {
  const lists = FORMATS.flatMap((format) => format.lists);
  const readers = new Map(lists.map((list) => [list.path, list.read]));
  const hash = createTextHash();
  const documents: JsonObject[] = [];
  let count = 0;
  let odd: string | undefined;
  await readDocuments(hashed(body, hash), {
    lists: lists.map(({ path }) => path),
    visitor: {
      row(path, row) {
        if (!isObject(row)) odd ??= path.join(".");
        const resources = readers.get(path)?.(row) ?? [];
        count += resources.length;
        resources.forEach(take);
      },
      end(document) {
        documents.push(document);
        if (documents.length > 1) throw unsupported("several documents", "push one state at a time");
      },
    },
    drain,
  });
  const [document] = documents;
  if (!document) throw unsupported("an empty body", "push the output of `terraform state pull`");
  const format = FORMATS.find((candidate) => candidate.matches(document));
  if (!format) throw refusalOf(document);
  const flaw = (odd && `\`${odd}\` holds something else than objects`) ?? flawOf(format, document);
  if (flaw !== undefined) {
    throw new AppError("unsupported_format", `the ${format.name} can't be read: ${flaw}`);
  }
  return { kind: format.kind, ...format.edition?.(document), hash: hash.digest(), count };
}

async function* hashed(
  body: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createTextHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
}

/** What is missing would seem to be gone. */
function flawOf(format: StateFormat, document: JsonObject): string | undefined {
  const odd = format.lists.find(({ path }) => !Array.isArray(at(document, path) ?? []));
  return odd ? `\`${odd.path.join(".")}\` is no list` : format.flaw?.(document);
}

/** What stands in place of a state, and what to run to get one. */
function refusalOf(document: JsonObject): AppError {
  const { version } = document;
  if ("encrypted_data" in document) {
    return new AppError(
      "state_encrypted",
      "the state is encrypted: push the output of `tofu show -json` instead",
    );
  }
  if (
    typeof version === "number" &&
    ("modules" in document || "resources" in document || "serial" in document)
  ) {
    return unsupported(
      `a Terraform state of version ${version}`,
      "only version 4 is read: run `terraform apply -refresh-only` with Terraform 0.12 or newer, then push the output of `terraform state pull`",
    );
  }
  return unsupported(
    nameDocument(document, CLOUDS),
    "push the output of `terraform state pull`, `terraform show -json`, `pulumi stack export` or `aws cloudformation list-stack-resources`",
  );
}

function unsupported(found: string, instead: string): AppError {
  return new AppError("unsupported_format", `this is ${found}, not a state that can be read: ${instead}`);
}

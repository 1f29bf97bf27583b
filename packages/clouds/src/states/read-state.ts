import { AppError } from "@leeway/shared/values/errors";
import { isObject, type JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource } from "../cloud.ts";
import { CLOUDS } from "../clouds.ts";
import { nameDocument } from "../known-documents.ts";
import { at } from "../documents/document-parser.ts";
import { readDocuments } from "../documents/read-documents.ts";
import { cloudformationStack } from "./cloudformation-stack.ts";
import { pulumiStack } from "./pulumi-stack.ts";
import type { StateFormat } from "./state-format.ts";
import { terraformShow } from "./terraform-show.ts";
import { terraformState } from "./terraform-state.ts";
import { createTextHash, type TextHash } from "./text-hash.ts";

const FORMATS: readonly StateFormat[] = [terraformState, terraformShow, pulumiStack, cloudformationStack];

/** Metadata of a state. */
export interface StateHead {
  kind: StateFormat["kind"];
  serial?: number;
  lineage?: string;
  hash: TextHash;
  /** Number of managed instances. */
  count: number;
}

interface StateReader {
  take(resource: DeclaredResource): void;
  drain(): Promise<void>;
}

/**
 * Reads a state of any tool and passes on each managed resource.
 * @throws {AppError} `unsupported_format` or `state_encrypted`, with the command to run instead
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
  const flaw = (odd && `\`${odd}\` must contain only objects`) ?? flawOf(format, document);
  if (flaw !== undefined) {
    throw new AppError("unsupported_format", `the ${format.name} isn't valid: ${flaw}`);
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

/** Explains why a state is incomplete. Its missing resources would otherwise look deleted. */
function flawOf(format: StateFormat, document: JsonObject): string | undefined {
  const odd = format.lists.find(({ path }) => !Array.isArray(at(document, path) ?? []));
  return odd ? `\`${odd.path.join(".")}\` must be a list` : format.flaw?.(document);
}

/** Returns the error for a document that isn't a state, with the command that prints one. */
function refusalOf(document: JsonObject): AppError {
  const { version } = document;
  if ("encrypted_data" in document) {
    return new AppError("state_encrypted", "the state is encrypted; push the output of `tofu show -json`");
  }
  if (
    typeof version === "number" &&
    ("modules" in document || "resources" in document || "serial" in document)
  ) {
    return unsupported(
      `a Terraform state of version ${version}`,
      "only version 4 is supported; run `terraform apply -refresh-only` with Terraform 0.12 or newer, then push the output of `terraform state pull`",
    );
  }
  return unsupported(
    nameDocument(document, CLOUDS),
    "push the output of `terraform state pull`, `terraform show -json`, `pulumi stack export` or `aws cloudformation list-stack-resources`",
  );
}

function unsupported(found: string, instead: string): AppError {
  return new AppError("unsupported_format", `this is ${found}, not a state; ${instead}`);
}

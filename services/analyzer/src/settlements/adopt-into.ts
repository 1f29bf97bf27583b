import { posix } from "node:path";

import type { Settled } from "@leeway/analysis/settle/settle";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import {
  CreateAdoption,
  type AdoptedResource,
  type Adoption,
} from "@leeway/shared/contracts/inventory/adoptions";
import type { CodeFile } from "@leeway/shared/contracts/webhooks/code";

import type { CodeAt } from "./in-code.ts";

/** Outcome of adopting a resource, with its address in the code. */
export type Adopted = Settled & { address?: string };

export interface AdoptedCode {
  /** The new file, if a resource could be adopted. */
  file: CodeFile | undefined;
  /** Outcomes by the ids of the resources. */
  outcomes: ReadonlyMap<string, Adopted>;
}

/**
 * Writes undeclared resources into a new file of a source's folder. Resources that the folder can't declare besides the
 * earlier ones are refused.
 * @throws {AppError} `not_found` if a resource or the source doesn't exist; `unavailable`
 */
export async function adoptInto(
  bus: BusConnection,
  { orgId, source, folder: { files } }: CodeAt,
  resourceIds: readonly string[],
): Promise<AdoptedCode> {
  const folder = posix.normalize(source.repository.dir ?? ".");
  const beside = files.filter(({ path }) => posix.dirname(path) === folder);
  const declared = declaredIn(beside);
  const outcomes = new Map<string, Adopted>();
  for (;;) {
    const left = resourceIds.filter((id) => !outcomes.has(id));
    if (left.length === 0) return { file: undefined, outcomes };
    const adoption = await call(bus, CreateAdoption, {
      org_id: orgId,
      resource_ids: left,
      source_id: source.id,
    });
    const unfit = unfitIn(adoption, { left, declared });
    for (const [id, outcome] of unfit) outcomes.set(id, outcome);
    if (unfit.size > 0) continue;
    const path = posix.join(folder, freeName(beside));
    for (const { resource_id: id, address = "" } of adoption.resources)
      outcomes.set(id, {
        kind: "changed",
        address,
        explanation: `imports the resource as \`${address}\`, in \`${path}\``,
      });
    return { file: { path, text: adoption.files.map(({ content }) => content).join("\n") }, outcomes };
  }
}

/** Returns the resources that can't be written into the folder. */
function unfitIn(
  { files, resources }: Adoption,
  { left, declared }: { left: readonly string[]; declared: Declared },
): Map<string, Adopted> {
  const code = files.map(({ content }) => content).join("\n");
  const taken = Array.from(code.matchAll(/^variable "([^"]+)"/gm), ([, name = ""]) => name).filter((name) =>
    declared.has(`variable.${name}`),
  );
  const unfit = new Map<string, Adopted>();
  for (const resource of resources) {
    const outcome = incomplete(resource) ?? declaredAlready(resource, { code, taken, declared });
    if (outcome) unfit.set(resource.resource_id, outcome);
  }
  const last = left.at(-1);
  const areMany = files.some(({ path }) => path.includes("/"));
  if (unfit.size === 0 && areMany && last !== undefined) unfit.set(last, clash(OTHER_PLACE));
  return unfit;
}

function incomplete({
  status,
  address,
  reason = "it can't be written",
}: AdoptedResource): Adopted | undefined {
  if (status === "complete" && address !== undefined) return undefined;
  const message = status === "partial" ? `its code would be incomplete: ${reason}` : reason;
  return { kind: "refused", refusal: { code: "not_applicable", message } };
}

function declaredAlready(
  { address = "" }: AdoptedResource,
  { code, taken, declared }: { code: string; taken: readonly string[]; declared: Declared },
): Adopted | undefined {
  const path = declared.get(`resource.${address}`);
  if (path !== undefined)
    return { kind: "already", explanation: `\`${path}\` already declares \`${address}\`` };
  const name = taken.find((one) => blockOf(code, address).includes(`var.${one}`));
  return name === undefined ? undefined : clash(`the folder already declares the variable \`${name}\``);
}

const OTHER_PLACE =
  "it is in another account or region than other adopted resources of this request, and a provider is configured for one of each";

const clash = (message: string): Adopted => ({
  kind: "refused",
  refusal: { code: "code_differs", message: `${message}; adopt it by hand` },
});

/** Paths of files by the resources and variables that they declare, as in `resource.aws_sqs_queue.jobs`. */
type Declared = ReadonlyMap<string, string>;

const BLOCK = /^[ \t]*(resource|variable)[ \t]+"?([\w-]+)"?(?:[ \t]+"?([\w-]+)"?)?[ \t]*\{/gm;

function declaredIn(files: readonly CodeFile[]): Declared {
  return new Map(
    files.flatMap(({ path, text }) =>
      Array.from(text.matchAll(BLOCK), ([, kind, ...labels]): [string, string] => [
        [kind, ...labels.filter((label) => label !== undefined)].join("."),
        path,
      ]),
    ),
  );
}

function blockOf(code: string, address: string): string {
  const [type, name] = address.split(".");
  const at = code.indexOf(`resource "${type}" "${name}" {`);
  const end = code.indexOf("\n}\n", at);
  return code.slice(at, end < 0 ? undefined : end);
}

function freeName(beside: readonly CodeFile[]): string {
  const taken = new Set(beside.map(({ path }) => posix.basename(path)));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "adopted.tf" : `adopted-${number}.tf`;
    if (!taken.has(name)) return name;
  }
}

import type { AdoptedResource, Adoption, AdoptionTool } from "@leeway/shared/contracts/inventory/adoptions";
import { text, type JsonObject } from "@leeway/shared/values/json";

import { Names } from "./addresses.ts";
import { argumentsOf } from "./arguments.ts";
import { writeBlocks, type Block, Raw } from "./hcl.ts";
import { inOrder } from "./in-order.ts";
import type { DeclaredBeside, LiveToAdopt } from "./live.ts";
import { readResource } from "./read-resource.ts";
import { References, type Referent } from "./references.ts";
import { declaredReferent, referentOf } from "./referents.ts";
import { settleArguments, type Omitted } from "./settle-arguments.ts";
import { adoptedType } from "./terraform-type.ts";
import { bodyOf, type Reference } from "./write-resource.ts";

/** A resource that can be written. */
interface Planned {
  live: LiveToAdopt;
  type: string;
  address: string;
  importId: string;
  attributes: JsonObject;
  omitted: Omitted[];
  missing: string[];
}

/**
 * Turns live resources into code.
 * @param beside resources in the code that the new code joins, which it can refer to
 */
export function adopt(
  resources: readonly LiveToAdopt[],
  beside: readonly DeclaredBeside[] = [],
  tool: AdoptionTool = "terraform",
): Adoption {
  const answers = new Map<LiveToAdopt, AdoptedResource>();
  const places = Map.groupBy(resources, placeOf);
  const areMany = places.size > 1;
  const files = [...places]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([place, group]) =>
      adoptPlace(group, { beside, answers, tool }).map(({ path, content }) => ({
        path: areMany ? `${place}/${path}` : path,
        content,
      })),
    );
  const all = resources.flatMap((live) => answers.get(live) ?? []);
  const count = (status: AdoptedResource["status"]): number =>
    all.filter((one) => one.status === status).length;
  return {
    files,
    resources: all,
    counts: { complete: count("complete"), partial: count("partial"), refused: count("refused") },
  };
}

/** Terraform's addresses of resources outside modules. Other tools have other addresses. */
const ADDRESS = /^\w+\.[\w-]+(?:\[(?:\d+|"[\w./: -]*")\])?$/;
/** Region of global resources, as AWS Config calls it. */
const GLOBAL = "global";

/** Returns the folder of a resource: a provider has one account, and AWS's one region. */
function placeOf({ cloud, account, region }: LiveToAdopt): string {
  const steps = [`${cloud.provider}-${account}`, ...(cloud.provider === "aws" ? [region ?? GLOBAL] : [])];
  return steps.map((step) => step.replaceAll(/[^\w-]/g, "_")).join("/");
}

interface File {
  path: string;
  content: string;
}

function adoptPlace(
  group: readonly LiveToAdopt[],
  { beside, answers, tool }: Pick<Context, "answers" | "tool"> & { beside: readonly DeclaredBeside[] },
): File[] {
  const names = new Names(beside.map(({ address }) => address.replace(/\[.*$/, "")));
  const planned = group
    .toSorted((one, other) => (one.providerResourceId < other.providerResourceId ? -1 : 1))
    .flatMap((live) => {
      const one = plan(live, names);
      if ("refusal" in one) answers.set(live, refused(live, one.refusal));
      return "refusal" in one ? [] : [one];
    });
  const references = new References();
  for (const one of beside) if (ADDRESS.test(one.address)) references.add(declaredReferent(one));
  const referents = new Map(planned.map((one) => [one, referentOf(one)]));
  for (const referent of referents.values()) references.add(referent);
  return write(planned, { names, references, answers, tool });
}

function plan(live: LiveToAdopt, names: Names): Planned | { refusal: string } {
  if (live.taken !== undefined) return { refusal: live.taken };
  if (live.properties === undefined) return { refusal: "the listing shows no attributes of it" };
  const found = adoptedType(live);
  if ("refusal" in found) return found;
  const { type } = found;
  const read = readResource(live, type);
  if (read === undefined) return { refusal: "its import id isn't known with certainty" };
  const args = argumentsOf(type);
  const settled = settleArguments(type, args, read.attributes, live);
  const called =
    text(live.tags, "Name") ??
    text(read.attributes, "name") ??
    live.name ??
    read.importId.id.split("/").at(-1);
  return { live, type, address: names.take(type, called ?? ""), importId: read.importId.id, ...settled };
}

function refused(live: LiveToAdopt, reason: string): AdoptedResource {
  return { resource_id: live.id, status: "refused", reason, omitted: [], references: [] };
}

interface Context {
  names: Names;
  references: References;
  answers: Map<LiveToAdopt, AdoptedResource>;
  tool: AdoptionTool;
}

function write(planned: readonly Planned[], { names, references, answers, tool }: Context): File[] {
  const variables: Block[] = [];
  const edges = new Map<string, Set<string>>();
  const written = new Map<string, Block[]>();
  for (const one of planned) {
    const found: Reference[] = [];
    const own = new Set<string>();
    edges.set(one.address, own);
    const mayReferTo = ({ address }: Referent): boolean =>
      !reaches(edges, address, one.address) && !!own.add(address);
    const body = bodyOf(argumentsOf(one.type), one.attributes, {
      address: one.address,
      names,
      references,
      mayReferTo,
      found,
      omitted: one.omitted,
      variables,
    });
    const [type = "", name = ""] = one.address.split(".");
    written.set(one.address, [
      importBlock(one),
      { type: "resource", labels: [type, name], body, comment: commentOn(one) },
    ]);
    answers.set(one.live, answerFor(one, found));
  }
  const order = inOrder(
    planned.map(({ address }) => address),
    edges,
  );
  const blocks = order.flatMap((address) => written.get(address) ?? []);
  if (blocks.length === 0) return [];
  const files = [{ path: "adopted.tf", content: `${headerOf(planned, tool)}\n${writeBlocks(blocks)}` }];
  return variables.length === 0
    ? files
    : [...files, { path: "variables.tf", content: writeBlocks(variables) }];
}

/** Reports whether references lead from one address to another. */
function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(edges.get(at) ?? []));
  }
  return false;
}

/** Oldest version with `import` blocks, and the command that plans. */
const TOOLS: Readonly<Record<AdoptionTool, readonly [version: string, plan: string]>> = {
  terraform: ["Terraform 1.5", "terraform plan"],
  opentofu: ["OpenTofu 1.6", "tofu plan"],
};

function headerOf(planned: readonly Planned[], tool: AdoptionTool): string {
  const [first] = planned;
  if (first === undefined) return "";
  const { cloud, account, region } = first.live;
  const hasRegion = cloud.provider === "aws" && region !== undefined && region !== GLOBAL;
  const place = hasRegion ? `, region ${region}` : "";
  const [version, plan] = TOOLS[tool];
  return [
    `# Adopted from ${cloud.provider}:${account}${place}. Configure the provider for the same.`,
    `# Needs ${version} or newer. Before you apply, \`${plan}\` must show imports and no other changes.`,
    "",
  ].join("\n");
}

function importBlock({ address, importId }: Planned): Block {
  return {
    type: "import",
    labels: [],
    body: {
      attributes: [
        ["to", new Raw(address)],
        ["id", importId],
      ],
      blocks: [],
    },
  };
}

function commentOn({ missing }: Planned): string[] {
  return missing.map((attribute) => `TODO: set ${attribute}, which the listing doesn't show.`);
}

function answerFor(
  { live, address, importId, omitted, missing }: Planned,
  references: Reference[],
): AdoptedResource {
  const isComplete = missing.length === 0;
  return {
    resource_id: live.id,
    address,
    import_id: importId,
    status: isComplete ? "complete" : "partial",
    ...(!isComplete && { reason: `the listing doesn't show ${missing.join(", ")}` }),
    omitted,
    references,
  };
}

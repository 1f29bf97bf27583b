import { isObject, type Json } from "@leeway/shared/values/json";

import { deletes, type ResourceChange } from "../../plan/model.ts";
import { textsOf } from "../attribute-values.ts";
import { destroyed } from "../deletions.ts";
import { droppedParts } from "../drops.ts";
import { valueOf } from "../../plan/leaves.ts";
import { lossOf } from "../loss.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { isGenerated, isOfKnownProvider, isRelease } from "../types.ts";
import { listed, shown } from "../values.ts";

export const R01 = {
  id: "R01",
  title: "Data is destroyed",
  why: "The data in the resource is lost with it.",
  check: "Back up the data somewhere else, and test that the backup can be restored.",
  cases: {
    destroyed: {
      flag: "destroy_stateful",
      when: "a resource that holds data and is destroyed or replaced",
      standard: "critical",
      lenient: "critical",
      neverHidden: true,
    },
    deletedOutside: {
      flag: "deleted_outside",
      when: "a resource that holds data and was deleted outside of the tool (drift)",
      standard: "critical",
      lenient: "critical",
      neverHidden: true,
    },
    maybeStateful: {
      flag: "maybe_stateful",
      when: "a destroyed or replaced resource that may hold data: a log group, an event archive, a transient cluster, a private key; an instance with an instance store or a root volume that goes with it; a type of an unknown provider whose name or attributes suggest data, such as a database, a virtual machine, or backups",
      standard: "high",
      lenient: "high",
      neverHidden: true,
    },
    generatedValue: {
      flag: "generated_value",
      when: "a generated password or id that is destroyed or replaced: everything made from it changes",
      standard: "medium",
      lenient: "medium",
    },
    release: {
      flag: "maybe_stateful",
      when: "a destroyed or replaced Helm release: its workloads stop, and no plan shows its volumes",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
  },
  flagTexts: {
    deleted_outside: {
      title: "Data was deleted outside code",
      why: "The data is gone; applying creates an empty resource.",
      check: "Find out who deleted it, and restore the data from a backup.",
    },
    maybe_stateful: {
      title: "A resource that may hold data is destroyed",
      why: "If it holds data, the data is lost with it.",
      check: "Find out whether it holds data, and back that up.",
    },
    generated_value: {
      title: "A generated value is lost",
      why: "Everything derived from the value changes too.",
      check: "Check what uses the value, such as passwords and names.",
    },
  },
  example: {
    address: "aws_db_instance.orders",
    actions: ["delete", "create"],
    before: { identifier: "orders", skip_final_snapshot: true },
    after: { identifier: "orders-v2", skip_final_snapshot: true },
    replacePaths: [["identifier"]],
  },
  isLoss: true,
  find: (subject) => (deletes(subject.change) ? destroyedData(subject) : droppedData(subject)),
} satisfies Rule;

function destroyedData(subject: Subject): RuleMatch[] {
  const { cases } = R01;
  const { change, type, outside } = subject;
  const loss = lossOf(type, change.before);
  // R03 and R04 replace this finding on keys and containers.
  if (loss === "stateful" || loss === "key_material" || loss === "container") {
    return [destroyed(subject, outside ? cases.deletedOutside : cases.destroyed, dataLoss(change))];
  }
  if (isGenerated(type)) return [destroyed(subject, cases.generatedValue, GENERATED_LOSS)];
  if (isRelease(type)) return [destroyed(subject, cases.release, RELEASE_LOSS)];
  const [sign, why] = maybeStateful(change, type);
  if (why === undefined) return [];
  const match = destroyed(subject, cases.maybeStateful, why);
  return [{ ...match, paths: [...match.paths, ...(sign === undefined ? [] : [[sign]])] }];
}

const GENERATED_LOSS = "its generated value is lost, and everything made from it changes";
const RELEASE_LOSS = "its workloads stop, and its volumes may be deleted";

function dataLoss({ before }: ResourceChange): string {
  const isUnsaved = isObject(before) && before["skip_final_snapshot"] === true;
  return isUnsaved ? "all data in it is lost, without a final snapshot" : "all data in it is lost";
}

/** Attributes that resources with data have, at any provider. */
const KEEPS_DATA =
  /^(?:deletion_protection|prevent_destroy|skip_final_snapshot|force_destroy|backup_.*|snapshot_.*|storage_size.*|allocated_storage|retention_.*)$/;

/** Returns the attribute that indicates data in a resource whose type isn't stateful, and its value. */
function maybeStateful(
  { before, after, actions }: ResourceChange,
  type: string,
): [sign?: string | undefined, why?: string] {
  const mayHold = lossOf(type, before) === "maybe_stateful";
  if (mayHold && isOfKnownProvider(type)) return [undefined, "what it holds can't be brought back"];
  const side = isObject(before) ? before : after;
  if (!isObject(side)) return [];
  if (type === "aws_instance") return instanceStorage(side, actions);
  if (isOfKnownProvider(type)) return [];
  const [sign] = Object.keys(side)
    .filter((name) => KEEPS_DATA.test(name))
    .toSorted();
  if (sign !== undefined) return [sign, `it may hold data, as ${shown(sign)} suggests`];
  return mayHold ? [undefined, "it may hold data, as its type suggests"] : [];
}

/** Returns the storage that is lost with a server. With create-before-destroy the root volume isn't a sign of data. */
function instanceStorage(side: Json, [first]: readonly string[]): [sign?: string | undefined, why?: string] {
  const rootGoes =
    first === "delete" &&
    textsOf(valueOf(side, ["root_block_device", 0, "delete_on_termination"])).includes("true");
  if (rootGoes) return ["root_block_device", "its root volume is deleted with it"];
  const hasStore = isObject(valueOf(side, ["ephemeral_block_device", 0]));
  return hasStore ? ["ephemeral_block_device", "its instance store is lost"] : [];
}

/** Reports parts of a store that an update in place drops with their data. */
function droppedData(subject: Subject): RuleMatch[] {
  const dropped = droppedParts(subject);
  if (dropped.length === 0) return [];
  const message = `Drops ${listed(dropped.map(({ text }) => text))}: its data is lost`;
  return [{ case: R01.cases.destroyed, paths: dropped.slice(0, 1).map(({ path }) => path), message }];
}

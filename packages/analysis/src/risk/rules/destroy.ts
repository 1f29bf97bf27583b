import { isObject, text, type Json } from "@leeway/shared/json";

import { creates, deletes, forgets, goesForGood, replaces, type ResourceChange } from "../../plan/model.ts";
import { nameOf, valueOf } from "../leaves.ts";
import { destroying, forcedBy, isNewRevision, type Rule, type Sighting, type Subject } from "../sighting.ts";
import { pathsOf, signsIn, textsOf } from "../turns.ts";
import {
  isContainer,
  isGenerated,
  isKeyMaterial,
  isOfKnownProvider,
  isRelease,
  isServing,
  isStateful,
  KEY_DISABLING,
} from "../types.ts";
import type { VerdictName } from "../verdicts.ts";

const KEEPS_DATA =
  /^(?:deletion_protection|prevent_destroy|skip_final_snapshot|force_destroy|backup_.*|snapshot_.*|storage_size.*|allocated_storage|retention_.*)$/;
const STATE_BUCKETS = /^(?:aws_s3_bucket|google_storage_bucket|azurerm_storage_(?:container|account))$/;
const STATE_NAME =
  /(?:^|[^a-z])(?:tf|terraform|tofu|opentofu|pulumi)[-_.]?(?:remote[-_.]?)?states?(?:[^a-z]|$)/;

function destroyed(subject: Subject, verdict: VerdictName, consequence: string): Sighting {
  return {
    verdict,
    paths: [...subject.change.replacePaths],
    message: `${destroying(subject)} ${consequence}${forcedBy(subject.change)}.`,
  };
}

/** R01 */
export const destroyStateful: Rule = (subject) => {
  const { change, type, outside } = subject;
  if (!deletes(change)) return [];
  if (isStateful(type)) {
    const verdict = outside ? "deletedOutside" : "destroyStateful";
    return [
      destroyed(subject, verdict, isGenerated(type) ? GENERATED_LOSS : "destroys the data that it holds"),
    ];
  }
  if (isRelease(type)) {
    return [
      destroyed(subject, "destroyRelease", "may destroy the data of volumes, which a plan doesn't show"),
    ];
  }
  const signs = maybeStateful(change);
  if (signs.length === 0) return [];
  const finding = destroyed(
    subject,
    "destroyMaybeStateful",
    `may destroy data, as its ${signs.join(" and ")} suggests`,
  );
  return [{ ...finding, paths: [...finding.paths, ...signs.slice(0, 1).map((sign) => [sign])] }];
};

const GENERATED_LOSS = "loses a generated value, and what was made with it changes too";

/** Attributes that say that a resource of no stateful type may hold data all the same; at most one. */
function maybeStateful({ type, before, after }: ResourceChange): string[] {
  const side = isObject(before) ? before : after;
  if (!isObject(side)) return [];
  if (type === "aws_instance") return instanceStorage(side).slice(0, 1);
  if (isOfKnownProvider(type)) return [];
  return Object.keys(side)
    .filter((name) => KEEPS_DATA.test(name))
    .toSorted()
    .slice(0, 1);
}

function instanceStorage(side: Json): string[] {
  const rootGoes = textsOf(valueOf(side, ["root_block_device", 0, "delete_on_termination"])).includes("true");
  const hasStore = isObject(valueOf(side, ["ephemeral_block_device", 0]));
  return [...(rootGoes ? ["root_block_device"] : []), ...(hasStore ? ["ephemeral_block_device"] : [])];
}

/** R03 */
export const destroyKeyMaterial: Rule = (subject) => {
  const { change, type, shown, leaves } = subject;
  if (deletes(change) && isKeyMaterial(type) && !isNextVersion(change)) {
    return [
      destroyed(subject, "destroyKeyMaterial", "makes whatever only its keys or secrets open unreadable"),
    ];
  }
  if (deletes(change) && isStateBucket(subject)) {
    return [destroyed(subject, "destroyKeyMaterial", "destroys what seems to be where states are kept")];
  }
  if (deletes(change) || creates(change)) return [];
  const paths = pathsOf(signsIn(KEY_DISABLING, type, leaves));
  if (paths.length === 0) return [];
  const names = paths.map(nameOf).join(" and ");
  return [
    {
      verdict: "destroyKeyMaterial",
      paths,
      message: `The change of ${names} makes whatever this ${shown} opens unreadable.`,
    },
  ];
};

/** Whether a version of a secret gives way to the next one of the same secret. */
function isNextVersion(change: ResourceChange): boolean {
  const [was, is] = [change.before, change.after].map((side) => textsOf(valueOf(side, ["secret"])).join());
  return isNewRevision(change) && was === is;
}

function isStateBucket({ change: { before }, type }: Subject): boolean {
  if (!STATE_BUCKETS.test(type) || !isObject(before)) return false;
  const name = text(before, "bucket") ?? text(before, "bucket_name") ?? text(before, "name") ?? "";
  return STATE_NAME.test(name.toLowerCase());
}

/** R04 */
export const destroyContainer: Rule = (subject) =>
  deletes(subject.change) && isContainer(subject.type)
    ? [destroyed(subject, "destroyContainer", "takes down what is in it")]
    : [];

/** R05 and R06 */
export const replaceServing: Rule = (subject) => {
  const { change, type } = subject;
  if (!replaces(change) || !isServing(type)) return [];
  if (change.actions.indexOf("delete") < change.actions.indexOf("create")) {
    return [
      destroyed(subject, "replaceDowntime", "means downtime, as it is destroyed before the new one is there"),
    ];
  }
  return keepsFixedName(change)
    ? [
        destroyed(
          subject,
          "replaceNameConflict",
          "creates the new one first, which the fixed name may not allow",
        ),
      ]
    : [destroyed(subject, "replaceNoDowntime", "creates the new one before the old one goes")];
};

function keepsFixedName({ before, after }: ResourceChange): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  const name = text(after, "name");
  return name !== undefined && name === text(before, "name") && text(after, "name_prefix") === undefined;
}

/** R17 */
export const destroyServing: Rule = (subject) => {
  const { change, type } = subject;
  const goes = goesForGood(change) && isServing(type) && !isStateful(type);
  return goes ? [destroyed(subject, "destroyServing", "ends what it serves")] : [];
};

/** R22 */
export const orphan: Rule = ({ change, type, shown }) => {
  if (!forgets(change)) return [];
  const message = `This ${shown} stays as it is, but nothing declares it any more.`;
  return [{ verdict: isStateful(type) ? "orphanedStateful" : "orphaned", paths: [], message }];
};

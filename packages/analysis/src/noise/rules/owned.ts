import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";

import { isReadOnly } from "../../plan/computed.ts";
import { pathKey } from "../../plan/path-keys.ts";
import { LIKELY, OWNED } from "../confidence.ts";
import { explain, isTakenBack, type Detector, type LeafRule } from "../detector.ts";
import { attributeName } from "../path-pattern.ts";
import { autoscaling } from "./autoscaling.ts";

/** A number that an autoscaler sets, if it drifted or the plan only reverts that. */
export const autoscalerOwned: LeafRule = {
  class: "autoscaler_owned",
  judge(leaf, subject) {
    const autoscaler = autoscaling(leaf, subject);
    if (autoscaler === undefined || autoscaler === "off") return undefined;
    if (subject.source === "drift" || isTakenBack(leaf, subject)) return OWNED;
    return autoscaler === "on" ? LIKELY : undefined;
  },
};

const IMAGES: ReadonlySet<string> = new Set(["ami", "image_id", "image", "source_image", "source_image_id"]);
const IMAGE_DATA = [
  "aws_ami",
  "aws_ssm_parameter",
  "google_compute_image",
  "azurerm_image",
  "azurerm_shared_image_version",
];

/** Explains a newer image. The plan doesn't show how an image is looked up, so this is at most likely. */
export const latestImage: Detector = (open, { source, plan }) => {
  if (source !== "change") return [];
  const isLookedUp = (): boolean =>
    IMAGE_DATA.some((type) => plan.ofType(type).some(({ mode }) => mode === "data"));
  return open
    .filter(({ path, before, after, unknown, before_sensitive, after_sensitive }) => {
      if (!IMAGES.has(attributeName(path)) || before_sensitive || after_sensitive) return false;
      const family = imageFamily(before);
      return family !== undefined && (unknown ? isLookedUp() : family === imageFamily(after));
    })
    .map((difference) => explain(difference, "ami_or_image_latest", LIKELY));
};

const LONGEST_IMAGE = 1_000;

/** Returns the part of a dated image's name that newer versions share; undefined for other images. */
function imageFamily(image: unknown): string | undefined {
  if (typeof image !== "string" || image.length > LONGEST_IMAGE) return undefined;
  if (/^ami-[\da-f]{8,17}$/.test(image)) return "ami";
  const dated = /^(?=.*image)(.*?)-?v?(?:20\d{6}|\d+\.\d+\.\d+)$/.exec(image);
  return dated?.[1];
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;
/** Attributes in which a time is a stamp, not a setting. */
const STAMPED = /^(?:tags|tags_all|labels|annotations|metadata|triggers\w*|keepers)$/;

/** Explains a time that moves forward, or is known after apply, as `timestamp()` produces it. */
export const timestamps: Detector = (open, { change: { type }, source }) =>
  source === "change"
    ? open
        .filter((difference) => isTimestamp(difference) && !isReadOnly(type, String(difference.path[0])))
        .map((difference) => explain(difference, "timestamp_value", LIKELY))
    : [];

function isTimestamp({ path, before, after, unknown, before_sensitive }: AttributeChange): boolean {
  if (before_sensitive || typeof before !== "string" || !RFC_3339.test(before)) return false;
  if (unknown) return true;
  return (
    path.some((step) => STAMPED.test(String(step))) &&
    typeof after === "string" &&
    RFC_3339.test(after) &&
    Date.parse(after) > Date.parse(before)
  );
}

const SECRET = /passw|secret|token|(?:access|private|api|auth|account|shared)_?key|credential/i;

/** Explains a secret that was rotated outside code, or that the plan would reset. */
export const rotatedSecrets: Detector = (open, { change, source, plan }) => {
  const drifted = source === "change" ? (plan.driftOf(change)?.differences ?? []) : [];
  const outside = new Set(drifted.filter(isMaskedSecret).map(({ path }) => pathKey(path)));
  const isRotated = ({ path }: AttributeChange): boolean => source === "drift" || outside.has(pathKey(path));
  return open
    .filter((difference) => isMaskedSecret(difference) && isRotated(difference))
    .map((difference) => explain(difference, "secret_rotation", LIKELY));
};

function isMaskedSecret({ path, before_sensitive, after_sensitive, unknown }: AttributeChange): boolean {
  return !unknown && (before_sensitive || after_sensitive) && path.some((step) => SECRET.test(String(step)));
}

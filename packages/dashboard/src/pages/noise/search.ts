import { NOISE_CLASSES, NOISE_STATUSES } from "../../api/closed-sets.gen.ts";
import { given, oneOf } from "../search.ts";

/** Parses the filters of the noise list. */
export function noiseSearch(search: Record<string, unknown>) {
  return given({
    class: oneOf(NOISE_CLASSES, search["class"]),
    status: oneOf(NOISE_STATUSES, search["status"]),
  });
}

import { derivedId } from "@leeway/shared/derived-id";

/** The analyzer's job for a delivery: the delivery's own id, and another for each replay. */
export function jobIdOf({ id, replays }: { id: string; replays: number }): string {
  return replays === 0 ? id : derivedId(id, `replay ${replays}`);
}

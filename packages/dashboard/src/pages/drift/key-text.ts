import { DRIFT_KINDS, type CHANGE_GROUPINGS } from "../../api/closed-sets.gen.ts";
import { hourText, personName } from "../person.ts";
import { oneOf } from "../search.ts";
import { inWords } from "../words.ts";
import { KIND_NAMES } from "./change.tsx";

type Grouping = (typeof CHANGE_GROUPINGS)[number];

/** Texts for keys. Others are shown as they are. */
const TEXTS: Partial<Record<Grouping, (key: string) => string>> = {
  person: personName,
  person_hour: hourText,
  risk: inWords,
  decision: inWords,
  kind: kindText,
};

/** Returns the text for the key of a group of changes. */
export function keyText(by: Grouping, key: string, nameOfAccount: (id: string) => string): string {
  return by === "account" ? nameOfAccount(key) : (TEXTS[by]?.(key) ?? key);
}

function kindText(key: string): string {
  const kind = oneOf(DRIFT_KINDS, key);
  return kind ? KIND_NAMES[kind] : key;
}

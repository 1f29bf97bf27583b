import { strict } from "@leeway/shared/contracts/contract";
import type { JsonObject } from "@leeway/shared/values/json";
import { Type as t, type Static } from "@sinclair/typebox";

const LONGEST_TEXT = 600;
/** Maximum that models are asked for. It is below the accepted limit, because models miscount. */
const ASKED_TEXT = 500;
const MAX_FINDINGS = 10;

function plain(description: string) {
  const described = `${description}, in at most ${ASKED_TEXT} characters`;
  return t.String({ maxLength: LONGEST_TEXT, description: described });
}

/** JSON format that a model is asked for. */
export const ModelAnswer = strict(
  t.Object({
    summary: plain("Which change matters most, and why"),
    findings: t.Array(
      t.Object({
        id: t.String({ description: "Id from the data, copied letter by letter" }),
        explanation: plain("The consequence of this change"),
        check: t.Optional(plain('A check to make first; "" if there is none')),
      }),
      { maxItems: MAX_FINDINGS, description: `One entry an id, at most ${MAX_FINDINGS}` },
    ),
  }),
);
export type ModelAnswer = Static<typeof ModelAnswer>;

/** {@link ModelAnswer} as JSON Schema. */
export const ANSWER_SCHEMA: JsonObject = JSON.parse(JSON.stringify(ModelAnswer));

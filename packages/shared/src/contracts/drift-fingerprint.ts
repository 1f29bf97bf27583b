import { Type as t } from "@sinclair/typebox";

export const DriftFingerprint = t.String({
  pattern: "^dc1_[0-9a-f]{32}$",
  errorMessage: "must be dc1_ followed by 32 lower-case hexadecimal digits",
});

/** Builds the files that the gateway serves. `up` runs this as a program of its own, whose memory is free afterwards. */
import { build } from "@leeway/dashboard/build";
import { buildPackage } from "@leeway/cli/build";

import { messageOf } from "../local/command.ts";

try {
  await Promise.all([build(), buildPackage()]);
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}

import { join } from "node:path";
import { parseArgs } from "node:util";

import { adoptionTables } from "./adopted.ts";
import { CLOUDS, tableOf } from "./tables.ts";

/**
 * Writes the tables of attributes, and the lists of those that aren't compared, from the schemas of providers and clouds.
 * usage: bun run knowledge [--config <checkout of awslabs/aws-config-resource-schema>] [aws] [azure] [gcp]
 */
const { values, positionals } = parseArgs({
  options: { config: { type: "string" } },
  allowPositionals: true,
});
const here = import.meta.dir;
const sources = { packages: join(here, "node_modules"), config: values.config };
const clouds = CLOUDS.filter((one) => positionals.length === 0 || positionals.includes(one));
for (const cloud of clouds) {
  await Bun.write(join(here, "../src/derived", `${cloud}.tsv`), tableOf(cloud, sources));
  const { imports, args } = adoptionTables(cloud, sources);
  await Bun.write(join(here, "../../clouds/src/imports", `${cloud}.tsv`), imports);
  await Bun.write(join(here, "../src/adopt/arguments", `${cloud}.tsv`), args);
}
// Imported late, because it reads the new tables.
const { gapsOf } = await import("./gaps.ts");
for (const cloud of clouds) {
  await Bun.write(join(here, "../src/gaps", `${cloud}.tsv`), gapsOf(cloud, sources));
}
const { measuredTable, measuredTypes } = await import("./measured.ts");
for (const cloud of clouds) {
  const table = measuredTable(measuredTypes(cloud, sources));
  await Bun.write(join(here, "../src/adopt/measured", `${cloud}.tsv`), table);
}

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { cannot, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Words only: which version has the remedy isn't known here. */
export const upgradeProvider: Template = {
  strategy: "upgrade_provider",
  apply: (_site, noise) =>
    cannot(
      `which version of ${code(localName(noise))} ends this noise isn't known, so that no constraint was written`,
    ),
  explain: (noise) =>
    `This noise is the provider's own. Raise the version of ${code(noise.provider_name || localName(noise))} in ${code("required_providers")}, run ${code("terraform init -upgrade")}, and apply once; then keep the version pinned, so that all runs use the same one.`,
  risks: () => [
    "A new version of a provider may change other resources too: read its plan before it is applied.",
  ],
  example: (noise) =>
    `terraform {\n  required_providers {\n    ${localName(noise)} = {\n      source = "${sourceOf(noise)}"\n      # version = the newest that its changelog names for this\n    }\n  }\n}\n`,
};

const SOURCE = /^(?:[\w.-]+(?::\d+)?\/)?(?<namespace>[\w-]+)\/(?<name>[\w-]+)$/;

function sourceOf({ provider_name: provider, resource_type: type }: NoiseGroup): string {
  const { namespace, name } = SOURCE.exec(provider)?.groups ?? {};
  return namespace && name ? `${namespace}/${name}` : `hashicorp/${type.split("_", 1)[0]}`;
}

const localName = (noise: NoiseGroup): string => sourceOf(noise).replace(/^.*\//, "");

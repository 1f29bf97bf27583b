import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { cannot, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Explains only: we don't know which version fixes it. */
export const upgradeProvider: Template = {
  strategy: "upgrade_provider",
  apply: (_site, noise) =>
    cannot(
      `no version constraint was written, because the version of ${code(localName(noise))} that stops this noise isn't known`,
    ),
  explain: (noise) =>
    `The provider causes this noise. Raise the version of ${code(noise.provider_name || localName(noise))} in ${code("required_providers")}, run ${code("terraform init -upgrade")}, and apply once. Then pin the version, so that all runs use the same one.`,
  risks: () => [
    "A new provider version may change other resources too: review its plan before you apply it.",
  ],
  example: (noise) =>
    `terraform {\n  required_providers {\n    ${localName(noise)} = {\n      source = "${sourceOf(noise)}"\n      # version = the release whose changelog mentions this\n    }\n  }\n}\n`,
};

const SOURCE = /^(?:[\w.-]+(?::\d+)?\/)?(?<namespace>[\w-]+)\/(?<name>[\w-]+)$/;

function sourceOf({ provider_name: provider, resource_type: type }: NoiseGroup): string {
  const { namespace, name } = SOURCE.exec(provider)?.groups ?? {};
  return namespace && name ? `${namespace}/${name}` : `hashicorp/${type.split("_", 1)[0]}`;
}

const localName = (noise: NoiseGroup): string => sourceOf(noise).replace(/^.*\//, "");

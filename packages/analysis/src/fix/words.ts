import type { FixResult, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { checkedAgainst, type CheckedNarrative } from "../narrative/check.ts";
import { boundedLines } from "../narrative/fence.ts";
import { Vocabulary, type Known } from "../narrative/known.ts";
import { ANSWER_RULES, promptOf, type NarrativePrompt } from "../narrative/prompt.ts";

const MOST_ADDRESSES = 20;
const MOST_LINES = 200;

const SYSTEM = `You explain to an engineer why a plan shows a change that means nothing, and how a fix that was already made by a template stops it. You don't change the fix and propose no other: say what it does, and what is given up with it.
- ${ANSWER_RULES}`;

/** What to ask a model about a fix: `block` is the configuration as the template left it. No sample is in it. */
export function fixPrompt(noise: NoiseGroup, block: FixResult["hcl"]): NarrativePrompt {
  const { fingerprint, title, resource_type, provider_name, path_pattern, addresses, count } = noise;
  const head = {
    fingerprint,
    class: noise.class,
    title,
    resource_type,
    provider_name,
    path_pattern,
    addresses: addresses.slice(0, MOST_ADDRESSES),
    count,
  };
  const records = block
    .split(/\r?\n/)
    .slice(0, MOST_LINES)
    .map((text) => ({ text }));
  const shares = [{ name: "line", records, until: 1 }];
  return promptOf(SYSTEM, "Explain this fix.", (most) => boundedLines(head, shares, most));
}

/** A model's words on a fix, if all that they name is in the noise or the block; see `checkedNarrative`. */
export function checkedFixWords(text: string, noise: NoiseGroup, block: FixResult["hcl"]): CheckedNarrative {
  return checkedAgainst(text, knownOfFix(noise, block));
}

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/gu;
const TRAVERSAL = /[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[(?:\d+|"[^"\\]*")\])+/gu;

function knownOfFix(noise: NoiseGroup, block: string): Known {
  const { fingerprint, resource_type, provider_name, path_pattern, addresses } = noise;
  const vocabulary = new Vocabulary();
  for (const address of addresses) vocabulary.subject(address, "none");
  vocabulary.term(fingerprint, resource_type, provider_name, path_pattern, ...path_pattern.split("."));
  vocabulary.term(...(block.match(NAME) ?? []), ...(block.match(TRAVERSAL) ?? []));
  return vocabulary.known("none");
}

import { bodyOf } from "@leeway/analysis/fix/hcl/body";
import { isFormatted } from "@leeway/analysis/fix/hcl/format";
import { parseHcl } from "@leeway/analysis/fix/hcl/parse-hcl";

/** Parses code with another parser. @returns the kinds and labels of its blocks, and those that fmt would change */
export async function checkCode(
  text: string,
): Promise<{ blocks: string[]; unformatted: string[] } | undefined> {
  const syntax = await parseHcl(text);
  if (syntax === undefined) return undefined;
  const { blocks } = bodyOf(syntax.root);
  const found = {
    blocks: blocks.map(({ kind, labels }) => [kind, ...labels].join(" ")),
    unformatted: blocks.filter(({ node }) => !isFormatted(node, text)).map(({ node }) => node.text),
  };
  syntax.free();
  return found;
}

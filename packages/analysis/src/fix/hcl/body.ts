import type { Node } from "web-tree-sitter";

export interface Attribute {
  name: string;
  node: Node;
  value: Node;
}

export interface Block {
  /** Block type, such as `resource`. */
  kind: string;
  labels: readonly string[];
  node: Node;
  open: Node;
  close: Node;
}

export interface Body {
  attributes: readonly Attribute[];
  blocks: readonly Block[];
}

export const nodesOf = ({ children }: Node): Node[] => children.filter((child) => child !== null);

/** Returns the attributes and blocks of a file or block. */
export function bodyOf(owner: Node): Body {
  const body = nodesOf(owner).find(({ type }) => type === "body");
  const parts = body ? nodesOf(body) : [];
  return {
    attributes: parts.filter(({ type }) => type === "attribute").flatMap(attributeOf),
    blocks: parts.filter(({ type }) => type === "block").flatMap(blockOf),
  };
}

function attributeOf(node: Node): Attribute[] {
  const { firstNamedChild: name, lastNamedChild: value } = node;
  return name && value ? [{ name: name.text, node, value }] : [];
}

function blockOf(node: Node): Block[] {
  const parts = nodesOf(node);
  const [kind, ...labels] = parts.filter(({ type }) => type === "identifier" || type === "string_lit");
  const open = parts.find(({ type }) => type === "block_start");
  const close = parts.find(({ type }) => type === "block_end");
  if (!kind || !open || !close) return [];
  return [{ kind: kind.text, labels: labels.map(labelOf), node, open, close }];
}

const labelOf = (label: Node): string => (label.type === "string_lit" ? label.text.slice(1, -1) : label.text);

export function attributeNamed({ attributes }: Body, name: string): Attribute | undefined {
  return attributes.find((attribute) => attribute.name === name);
}

/** Returns the blocks of a type, including `dynamic` ones. */
export function blocksNamed({ blocks }: Body, kind: string): Block[] {
  return blocks.filter((block) => block.kind === kind || isDynamic(block, kind));
}

export const isDynamic = ({ kind, labels }: Block, name: string): boolean =>
  kind === "dynamic" && labels[0] === name;

/** No provider's schema nests deeper. */
const MAX_DEPTH = 30;

/** Checks rules that the grammar doesn't enforce: one item a line, and each name once. */
export function isWellFormed(owner: Node, depth = 0): boolean {
  const { attributes, blocks } = bodyOf(owner);
  if (depth > MAX_DEPTH || new Set(attributes.map(({ name }) => name)).size < attributes.length) return false;
  const parts = [...attributes, ...blocks].map(({ node }) => node);
  const inOrder = parts.toSorted((a, b) => a.startIndex - b.startIndex);
  const onOwnLines = inOrder.every((part, index) => {
    const previous = inOrder[index - 1];
    return previous === undefined || previous.endPosition.row < part.startPosition.row;
  });
  return onOwnLines && blocks.every((block) => closesRightly(block) && isWellFormed(block.node, depth + 1));
}

/** Checks that a block which starts on its opening brace's line ends on that line: `{ a = 1 }`. */
function closesRightly({ node, open, close }: Block): boolean {
  const body = nodesOf(node).find(({ type }) => type === "body");
  if (body === undefined) return true;
  const isInline = body.startPosition.row === open.endPosition.row;
  if (!isInline) return body.endPosition.row < close.startPosition.row;
  return close.startPosition.row === open.endPosition.row && body.childCount === 1;
}

import type { Node } from "web-tree-sitter";

export interface Attribute {
  name: string;
  node: Node;
  value: Node;
}

export interface Block {
  /** Such as `resource`. */
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

/** What a file or a block holds. */
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

/** The blocks of a kind, those that are made by `dynamic` too. */
export function blocksNamed({ blocks }: Body, kind: string): Block[] {
  return blocks.filter((block) => block.kind === kind || isDynamic(block, kind));
}

export const isDynamic = ({ kind, labels }: Block, name: string): boolean =>
  kind === "dynamic" && labels[0] === name;

/** Deeper blocks aren't in any provider's schema. */
const MOST_DEPTH = 30;

/** Whether what the grammar lets pass is right too: one thing a line, each name once. */
export function isWellFormed(owner: Node, depth = 0): boolean {
  const { attributes, blocks } = bodyOf(owner);
  if (depth > MOST_DEPTH || new Set(attributes.map(({ name }) => name)).size < attributes.length)
    return false;
  const parts = [...attributes, ...blocks].map(({ node }) => node);
  const inOrder = parts.toSorted((a, b) => a.startIndex - b.startIndex);
  const onOwnLines = inOrder.every((part, index) => {
    const previous = inOrder[index - 1];
    return previous === undefined || previous.endPosition.row < part.startPosition.row;
  });
  return onOwnLines && blocks.every((block) => closesRightly(block) && isWellFormed(block.node, depth + 1));
}

/** What begins on the line of the opening brace ends there: `{ a = 1 }`. */
function closesRightly({ node, open, close }: Block): boolean {
  const body = nodesOf(node).find(({ type }) => type === "body");
  if (body === undefined) return true;
  const isInline = body.startPosition.row === open.endPosition.row;
  if (!isInline) return body.endPosition.row < close.startPosition.row;
  return close.startPosition.row === open.endPosition.row && body.childCount === 1;
}

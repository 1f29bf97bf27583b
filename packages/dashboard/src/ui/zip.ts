export interface ArchivedFile {
  path: string;
  content: string;
}

interface Entry {
  name: Uint8Array<ArrayBuffer>;
  data: Uint8Array<ArrayBuffer>;
  checksum: number;
  /** Position of its local header. */
  at: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8 = 0x0800;
/** 1980-01-01, the first day of the format: the files have no time of their own. */
const DAY = 0x21;

/** Packs text files into an uncompressed zip archive. */
export function zip(files: readonly ArchivedFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const entries: Entry[] = [];
  let at = 0;
  for (const { path, content } of files) {
    const [name, data] = [new TextEncoder().encode(path), new TextEncoder().encode(content)];
    const entry = { name, data, checksum: crc32(data), at };
    entries.push(entry);
    const header = fields([4, LOCAL], ...common(entry));
    parts.push(header, name, data);
    at += header.length + name.length + data.length;
  }
  const directory = entries.flatMap((entry) => [
    fields([4, CENTRAL], [2, VERSION], ...common(entry), [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.at]),
    entry.name,
  ]);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const { length: count } = entries;
  const end = fields([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, at], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

type Field = readonly [bytes: 2 | 4, value: number];

/** Returns the fields that the headers of an entry share. */
function common({ name, data, checksum }: Entry): Field[] {
  const { length: size } = data;
  const kind: Field[] = [
    [2, VERSION],
    [2, UTF8],
    [2, 0],
    [2, 0],
    [2, DAY],
  ];
  return [...kind, [4, checksum], [4, size], [4, size], [2, name.length], [2, 0]];
}

/** Writes numbers one after the other, little-endian. */
function fields(...all: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(all.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of all) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  return bytes;
}

function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

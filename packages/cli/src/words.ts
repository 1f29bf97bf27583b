import { counted } from "@leeway/shared/values/counted";

/** Formats a size such as `20 MiB` or `1.5 MiB`; small ones in bytes. */
export function mebibytes(bytes: number): string {
  const size = bytes / 2 ** 20;
  if (size < 0.1) return counted(bytes, "byte");
  return `${size.toFixed(1).replace(/\.0$/, "")} MiB`;
}

import { Download } from "lucide-react";

import { Button } from "./button.tsx";

interface DownloadButtonProps {
  /** Name of the file. */
  name: string;
  /** Text of the file, or a function that packs it. */
  content: string | (() => Blob);
  label?: string;
}

/** Saves a text or other content as a file. */
export function DownloadButton({ name, content, label = "Download" }: DownloadButtonProps) {
  return (
    <Button onClick={() => save(name, content)} aria-label={`${label} ${name}`}>
      <Download aria-hidden="true" className="size-3.5" /> {label}
    </Button>
  );
}

function save(name: string, content: DownloadButtonProps["content"]): void {
  const url = URL.createObjectURL(typeof content === "string" ? new Blob([content]) : content());
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url)); // after the browser has started to read it
}

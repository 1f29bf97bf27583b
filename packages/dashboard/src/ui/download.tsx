import { Download as DownloadIcon } from "lucide-react";
import { useState } from "react";

import { ApiFailure } from "../api/failure.ts";
import type { ReadFile } from "../api/file.ts";
import { Button } from "./button.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { say } from "./toast.tsx";

/** Byte order mark, by which spreadsheets recognize UTF-8. */
const MARK = "\uFEFF";

interface DownloadProps {
  read: ReadFile;
  /** Name of the file without its extension. */
  name: string;
}

/** Offers all rows of a list with its filters as a file. */
export function Download({ read, name }: DownloadProps) {
  const [isBusy, setBusy] = useState(false);
  const save = async (form: "csv" | "json"): Promise<void> => {
    setBusy(true);
    try {
      const file = await read(form === "csv" ? "text/csv" : "application/x-ndjson");
      keep(form === "csv" ? new Blob([MARK, file]) : new Blob(await arrayOf(file)), `${name}.${form}`);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      say(`Couldn’t download: ${error.message}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button busy={isBusy}>
          <DownloadIcon aria-hidden="true" className="size-4" /> Download
        </Button>
      }
    >
      <MenuItem onSelect={() => void save("csv")}>CSV</MenuItem>
      <MenuItem onSelect={() => void save("json")}>JSON</MenuItem>
    </Menu>
  );
}

interface DownloadButtonProps {
  /** Name of the file. */
  name: string;
  /** Text of the file, or a function that packs it. */
  content: string | (() => Blob);
  label?: string;
}

/** Saves a text or other content as a file. */
export function DownloadButton({ name, content, label = "Download" }: DownloadButtonProps) {
  const save = (): void => keep(typeof content === "string" ? new Blob([content]) : content(), name);
  return (
    <Button onClick={save} aria-label={`${label} ${name}`}>
      <DownloadIcon aria-hidden="true" className="size-3.5" /> {label}
    </Button>
  );
}

/** Makes an array of JSON from lines of JSON. */
async function arrayOf(lines: Blob): Promise<string[]> {
  const rows = (await lines.text()).trimEnd();
  return ["[\n", rows.replaceAll("\n", ",\n"), "\n]\n"];
}

function keep(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

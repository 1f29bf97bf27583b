import { Code } from "../../ui/code.tsx";
import { DownloadButton } from "../../ui/download.tsx";
import { zip, type ArchivedFile } from "../../ui/zip.ts";

/** Shows the generated files to read, copy and download. */
export function AdoptedCode({ files }: { files: readonly ArchivedFile[] }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {files.length > 1 && (
        <div>
          <DownloadButton name="adopted.zip" content={() => zip(files)} label="Download all" />
        </div>
      )}
      {files.map(({ path, content }) => (
        <Code key={path} title={path} code={content} download={path.split("/").at(-1) ?? path} />
      ))}
    </div>
  );
}

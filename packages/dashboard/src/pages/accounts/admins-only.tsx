import { Notice } from "../../ui/notice.tsx";

/** Says why nothing can be done here. */
export function AdminsOnly() {
  return (
    <Notice tone="neutral" title="An owner or admin has to do this">
      It lets Leeway read what runs in one of the organization’s clouds.
    </Notice>
  );
}

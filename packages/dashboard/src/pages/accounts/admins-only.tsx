import { Notice } from "../../ui/notice.tsx";

/** Explains that only admins can make changes here. */
export function AdminsOnly() {
  return (
    <Notice tone="neutral" title="Only an owner or admin can do this">
      Connecting an account gives Leeway read access to a cloud of the organization.
    </Notice>
  );
}

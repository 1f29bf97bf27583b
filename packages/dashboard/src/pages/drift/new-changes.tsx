import { useQueryClient } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";

import { useLive } from "../../api/hooks.ts";
import { setLive } from "../../api/live.ts";
import { Button } from "../../ui/button.tsx";
import { countOf } from "../../ui/number.ts";

/** Offers the changes that came since the list was read, instead of moving its rows. */
export function NewChanges() {
  const { newChanges } = useLive();
  const queries = useQueryClient();
  const show = (): void => {
    setLive({ newChanges: 0 });
    scrollTo({ top: 0 });
    void queries.invalidateQueries({ queryKey: ["GET /orgs/{id}/drift-changes"] });
  };
  return (
    <div role="status" className="sticky top-14 z-10 flex justify-center empty:hidden xl:top-3">
      {newChanges > 0 && (
        <Button onClick={show} className="shadow-lift">
          <ArrowUp aria-hidden="true" className="size-4" />
          {countOf(newChanges, "new change")}
        </Button>
      )}
    </div>
  );
}

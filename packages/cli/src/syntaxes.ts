import { ADOPT } from "./adopt/adopt.ts";
import { ANALYZE } from "./analyze/analyze.ts";
import type { Syntax } from "./arguments.ts";
import { COMMENT } from "./comment/comment.ts";
import { DRIFT } from "./drift/drift.ts";
import { FIX } from "./fix/fix.ts";
import { LOGIN } from "./login/login.ts";
import { LOGOUT } from "./login/logout.ts";
import { MCP } from "./mcp/mcp.ts";
import { PUSH_LISTING } from "./push/push-listing.ts";
import { PUSH_STATE } from "./push/push-state.ts";
import { REMOTE } from "./remote/commands.ts";
import { syntaxOf } from "./remote/remote.ts";
import { RULES_APPLY, RULES_CHECK, RULES_PLAN } from "./rules/rules.ts";
import { SETTLE } from "./settle/settle.ts";

/** Commands of the server's data. */
export const REMOTE_SYNTAXES: readonly Syntax[] = REMOTE.map(syntaxOf);

/** Every command except planner-hook and completion, in the order of the help. */
export const SYNTAXES: readonly Syntax[] = [
  DRIFT,
  ADOPT,
  SETTLE,
  COMMENT,
  ANALYZE,
  FIX,
  RULES_CHECK,
  RULES_PLAN,
  RULES_APPLY,
  PUSH_STATE,
  PUSH_LISTING,
  LOGIN,
  LOGOUT,
  ...REMOTE_SYNTAXES,
  MCP,
];

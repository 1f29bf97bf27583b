/**
 * Runs the infrastructure for tests until its stdin closes, and so never longer than the process that started it.
 * Arguments: the file for the result, and `docker` if Docker may be used.
 */
import { messageOf } from "./command.ts";
import { writePrivateJson } from "./files.ts";
import { startInfrastructure } from "./infrastructure.ts";

const [resultFile = "", docker] = Bun.argv.slice(2);
const ownerGone = Bun.stdin.text();

try {
  const { stop, ...result } = await startInfrastructure({ mayUseDocker: docker === "docker" }, console.error);
  await writePrivateJson(resultFile, result);
  await ownerGone;
  await stop();
} catch (error) {
  await writePrivateJson(resultFile, { error: messageOf(error) });
  process.exitCode = 1;
}

import { exampleTasks } from "./readers.fixture.ts";
import { ownBuffer, serveTasks } from "./serve-tasks.ts";

serveTasks(exampleTasks, (result) => (typeof result === "object" ? ownBuffer(result.zeros) : []));

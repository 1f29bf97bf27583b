import { StateReading, type WholeState } from "./state-reading.ts";

/** Returns the steps of reading one state: `readState` for each chunk, then `closeState`. */
export function stateTasks() {
  let reading: StateReading | undefined;
  const current = (): StateReading => (reading ??= new StateReading());
  return {
    readState: (chunk: Uint8Array): Promise<void> => current().read(chunk),
    closeState: (): Promise<WholeState> => current().close(),
  };
}

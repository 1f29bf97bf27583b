import { StateReading, type WholeState } from "./state-reading.ts";

/** Returns the steps of reading one state: `beginState`, `readState` for each chunk, `closeState`. */
export function stateTasks() {
  let reading: StateReading | undefined;
  const current = (): StateReading => {
    if (!reading) throw new Error("the state wasn't started");
    return reading;
  };
  return {
    beginState(known: Uint8Array | undefined): void {
      reading = new StateReading(known);
    },
    readState: (chunk: Uint8Array): Promise<void> => current().read(chunk),
    closeState: (): Promise<WholeState | undefined> => current().close(),
  };
}

/** Runs tasks one after another, so that their answers come in their order. `idle` is called when the last one has ended. */
export function makeQueue(idle: () => void) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run<T>(task: () => Promise<T>): Promise<T> {
      waiting++;
      const next = last.then(task).finally(() => {
        if (--waiting === 0) idle();
      });
      last = next.catch(() => {});
      return next;
    },
    busy: () => waiting > 0,
  };
}

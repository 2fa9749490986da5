import { expect, onTestFinished, test, vi } from "vitest";
import { reportFailure } from "./report-failure";

test("a failure whose handler fails as well is written to the console beside the handler's", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const failure = new Error("The disk is full.");
  const handlerFailure = new Error("The log is gone.");
  const handler = () => Promise.reject(handlerFailure);
  await reportFailure(failure, { what: "A listener", source: {}, handler });
  expect(warn.mock.calls).toEqual([
    ["A listener failed: The disk is full.", failure],
    ["The handler of this failure failed: The log is gone.", handlerFailure],
  ]);
});

import { expect, test } from "vitest";
import { takeEvents } from "./api-events";

test("takes whole events and leaves the beginning of the next", () => {
  const { events, rest } = takeEvents(
    'data: {"n":1}\n\n: still here\n\ndata: {"n":2}\n\ndata: {"n"',
  );
  expect(events).toEqual([{ n: 1 }, { n: 2 }]);
  expect(rest).toBe('data: {"n"');
  expect(takeEvents(`${rest}:3}\n\n`)).toEqual({ events: [{ n: 3 }], rest: "" });
});

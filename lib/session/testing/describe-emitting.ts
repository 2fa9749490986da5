import { expect, test } from "vitest";
import type { NewSessionEvent } from "../events";

/** One call per method; a write answers with the events it must emit. */
export type CallOfEveryMethod<Table, Context> = {
  readonly [Name in keyof Table]: Table[Name] extends "read"
    ? (context: Context) => unknown
    : (context: Context) => Promise<readonly NewSessionEvent[]>;
};

interface Emitted<Context> {
  readonly context: Context;
  readonly events: NewSessionEvent[];
}

/** Each write must emit its events and each read none. */
export function describeEmitting<Table extends object, Context>(
  port: string,
  table: Table,
  calls: CallOfEveryMethod<Table, Context>,
  make: () => Promise<Emitted<Context>>,
): void {
  for (const [name, line] of Object.entries(table)) {
    const call: (context: Context) => unknown = calls[name as keyof Table];
    test(`${port}.${name} emits ${line === "read" ? "nothing" : "what it has written"}`, async () => {
      const { context, events } = await make();
      events.length = 0;
      const answer = await call(context);
      expect(events).toEqual(line === "read" ? [] : answer);
      if (line !== "read") expect(events).not.toEqual([]);
    });
  }
}

import { expect, test } from "vitest";
import type { Drill } from "@/lab/drill/drill";

/** Small counts on the built app: `npm run test:drills`, after `npm run build`. */
export function testSmallDrills(small: readonly (readonly [drill: Drill, count: number])[]): void {
  test.each(small.map(([drill, count]) => ({ drill, count, promise: drill.promise })))(
    "$promise",
    async ({ drill, count }) => {
      const { signal } = new AbortController();
      const said: string[] = [];
      const { broken } = await drill.run({
        count,
        seed: 1,
        signal,
        say: (line) => said.push(line),
      });
      expect(broken, said.join("\n")).toEqual([]);
    },
    300_000,
  );
}

import fc from "fast-check";

/**
 * One step of a random program. Numbers choose among what exists (modulo), so that every program is valid and a
 * failing one can be shrunk.
 */
export type TreeStep = { readonly on: number } & (
  | { readonly kind: "continue"; readonly activate: boolean }
  | { readonly kind: "start-root" }
  | { readonly kind: "reply"; readonly to: number; readonly activate: boolean | "follow" }
  | { readonly kind: "edit"; readonly message: number }
  | { readonly kind: "rewrite"; readonly message: number }
  | { readonly kind: "delete"; readonly messages: readonly number[] }
  | { readonly kind: "undo"; readonly deletion: number }
  | { readonly kind: "compact"; readonly leaf: number; readonly from: number; readonly to: number }
  | { readonly kind: "uncompact"; readonly compaction: number }
  | { readonly kind: "recompact"; readonly compaction: number }
  | { readonly kind: "pin"; readonly message: number; readonly pinned: boolean }
  | { readonly kind: "label"; readonly message: number; readonly labelled: boolean }
  | { readonly kind: "switch"; readonly message: number }
  | {
      readonly kind: "chain";
      readonly to: number;
      readonly count: number;
      readonly activate: boolean | "follow";
    }
  | { readonly kind: "step-back"; readonly count: number }
  | {
      readonly kind: "follow";
      readonly leaf: number;
      /** The number of oldest messages that the list has lost. */
      readonly lost: number;
      readonly count: number;
      readonly added: number;
    }
  | { readonly kind: "clear" }
  | { readonly kind: "fork"; readonly message: number; readonly withSideBranches: boolean }
);

const pick = fc.nat(999);
const on = fc.nat(3);

const steps: fc.WeightedArbitrary<TreeStep>[] = [
  { weight: 12, arbitrary: step("continue", { activate: fc.boolean() }) },
  { weight: 1, arbitrary: step("start-root", {}) },
  {
    weight: 4,
    arbitrary: step("reply", {
      to: pick,
      activate: fc.constantFrom(true, false, "follow" as const),
    }),
  },
  { weight: 4, arbitrary: step("edit", { message: pick }) },
  { weight: 2, arbitrary: step("rewrite", { message: pick }) },
  {
    weight: 4,
    arbitrary: step("delete", { messages: fc.array(pick, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 4, arbitrary: step("undo", { deletion: pick }) },
  { weight: 5, arbitrary: step("compact", { leaf: pick, from: pick, to: pick }) },
  { weight: 2, arbitrary: step("uncompact", { compaction: pick }) },
  { weight: 1, arbitrary: step("recompact", { compaction: pick }) },
  { weight: 2, arbitrary: step("pin", { message: pick, pinned: fc.boolean() }) },
  { weight: 2, arbitrary: step("label", { message: pick, labelled: fc.boolean() }) },
  { weight: 4, arbitrary: step("switch", { message: pick }) },
  {
    weight: 2,
    arbitrary: step("chain", {
      to: pick,
      count: fc.nat(3),
      activate: fc.constantFrom(true, false, "follow" as const),
    }),
  },
  { weight: 3, arbitrary: step("step-back", { count: fc.nat(4) }) },
  {
    weight: 4,
    arbitrary: step("follow", {
      leaf: pick,
      lost: fc.oneof(fc.constant(0), fc.nat(3)),
      count: fc.nat(12),
      added: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: step("clear", {}) },
  { weight: 2, arbitrary: step("fork", { message: pick, withSideBranches: fc.boolean() }) },
];

export function treePrograms(maxSteps: number): fc.Arbitrary<TreeStep[]> {
  const single = fc.oneof(...steps).map((each) => [each]);
  const some = fc.oneof(
    { weight: 30, arbitrary: single },
    { weight: 1, arbitrary: chainedForks() },
  );
  return fc
    .array(some, { maxLength: maxSteps, size: "max" })
    .map((parts) => parts.flat().slice(0, maxSteps));
}

/** Forks of forks, each with messages of its own, so that one session borrows through several others. */
function chainedForks(): fc.Arbitrary<TreeStep[]> {
  const link = fc.record({ message: pick, withSideBranches: fc.boolean(), own: fc.nat(2) });
  return fc.array(link, { minLength: 2, maxLength: 3 }).map((links) =>
    links.flatMap(({ own, ...place }, index) => [
      { kind: "fork" as const, on: index, ...place },
      ...Array.from({ length: own }, () => {
        return { kind: "continue" as const, on: index + 1, activate: true };
      }),
    ]),
  );
}

function step<Kind extends TreeStep["kind"]>(
  kind: Kind,
  fields: {
    [K in keyof Omit<Extract<TreeStep, { kind: Kind }>, "kind" | "on">]: fc.Arbitrary<unknown>;
  },
): fc.Arbitrary<TreeStep> {
  return fc.record({
    kind: fc.constant(kind),
    on,
    ...fields,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<TreeStep>;
}
